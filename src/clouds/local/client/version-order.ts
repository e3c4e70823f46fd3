/**
 * Compares two versions as semver.org orders them, as far as release numbers and the presence of a
 * pre-release go. Negative when `left` is older.
 */
export function compareVersions(left: string, right: string): number {
  const a = parts(left);
  const b = parts(right);
  for (let index = 0; index < 3; index += 1) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.pre === b.pre) return 0;
  if (a.pre === "") return 1;
  if (b.pre === "") return -1;
  return a.pre < b.pre ? -1 : 1;
}

function parts(version: string): { readonly numbers: readonly number[]; readonly pre: string } {
  const [release = "", ...pre] = (version.split("+")[0] ?? "").split("-");
  const numbers = release.split(".").map((text) => Number.parseInt(text, 10) || 0);
  return { numbers, pre: pre.join("-") };
}
