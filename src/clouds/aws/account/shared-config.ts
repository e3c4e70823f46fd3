import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the files in `~/.aws` say of each profile, as far as it matters before any call: that it is there, and its
 * region. Files that are not there say nothing. Format: "Configuration and credential file settings in the AWS CLI".
 */
export function sharedProfiles(
  env: Environment,
): ReadonlyMap<string, { readonly region?: string }> {
  const folder = join(env["HOME"] || homedir(), ".aws");
  const config = textOf(env["AWS_CONFIG_FILE"] || join(folder, "config"));
  const credentials = textOf(env["AWS_SHARED_CREDENTIALS_FILE"] || join(folder, "credentials"));
  const profiles = new Map<string, { region?: string }>();
  collect(config, /^(?:profile\s+(\S.*)|(default))$/, profiles);
  collect(credentials, /^(\S.*)$/, profiles);
  return profiles;
}

function collect(text: string, title: RegExp, profiles: Map<string, { region?: string }>): void {
  let current: { region?: string } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim();
    if (section !== undefined) {
      const match = title.exec(section);
      const name = (match?.[1] ?? match?.[2])?.trim().replace(/^(["'])(.*)\1$/, "$2");
      current = name === undefined ? null : (profiles.get(name) ?? {});
      if (name !== undefined && current !== null) profiles.set(name, current);
      continue;
    }
    const region = /^region\s*=\s*([A-Za-z0-9-]+)/.exec(line)?.[1];
    if (region !== undefined && current !== null) current.region ??= region;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
