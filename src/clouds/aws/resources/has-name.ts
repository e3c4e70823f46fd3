/** Whether an error of the SDK has one of these names. */
export function hasName(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}

/** What a call answers; null when it rejects with an error of one of these names. */
export async function unless<Answer>(
  call: Promise<Answer>,
  ...names: readonly string[]
): Promise<Answer | null> {
  try {
    return await call;
  } catch (error) {
    if (hasName(error, ...names)) return null;
    throw error;
  }
}
