/**
 * What a runner may see of this process's environment: where programs and temporary files are, and the language.
 * Everything else stays out, because `/proc/self/environ` shows it to every handler. Credentials, `NODE_OPTIONS`
 * and the home folder, in which tools look for credentials, are meant above all.
 */
const ALLOWED = ["PATH", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL", "SystemRoot", "windir"];

/** The environment of a runner process. Lambda runs in UTC, and so do runners. */
export function runnerEnvironment(
  from: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const environment: Record<string, string> = { TZ: "UTC" };
  for (const name of ALLOWED) {
    const value = from[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
