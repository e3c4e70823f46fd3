/** The name by which the SDK and the services tell errors apart; empty for what is no error. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

/** The text of an error, on one line. */
export function errorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim();
}

/** Status of the HTTP response that an error was read from; null when there was none. */
export function statusOf(error: unknown): number | null {
  const status = memberOf(memberOf(error, "$metadata"), "httpStatusCode");
  return typeof status === "number" ? status : null;
}

/** The code of an error of the network or the operating system, such as `ECONNREFUSED`; empty for others. */
export function networkCode(error: unknown): string {
  const code = memberOf(error, "code");
  return typeof code === "string" ? code : "";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
