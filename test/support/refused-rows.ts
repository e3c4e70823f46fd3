import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "./cli.ts";
import { appConfig, makeProject, type Project } from "./project.ts";
import { treeDigest } from "./tree-digest.ts";

/** One thing that a user may get wrong, and what the command line has to say to it. */
export interface RefusedRow {
  /** What is wrong, completing "is refused: ...". */
  readonly what: string;
  /** @default deploy to the stage `dev` */
  readonly args?: readonly string[];
  /** Files of the project besides a config and handler that work. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What `run()` does, in place of the config that works. */
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Changes the project's folder before the command. */
  readonly prepare?: (project: Project) => void;
  /** @default 2 */
  readonly exit?: number;
  /** Every one of these stands in what is told on standard error. */
  readonly says: readonly string[];
  /** None of these does. */
  readonly hides?: readonly string[];
}

const HANDLER = `export const limit = 3;
export async function get() {
  return { statusCode: 200, body: "hello" };
}
`;

/**
 * Runs each row with the real command line over a home in which something is recorded already, and checks exit code,
 * message, that no stack is shown, and that neither home nor keys have changed in a single byte.
 */
export function refuses(subject: string, rows: readonly RefusedRow[]): void {
  describe.concurrent(subject, () => {
    const seed = mkdtempSync(join(tmpdir(), "scrim-seed-"));
    beforeAll(async () => {
      const project = makeProject();
      await project.scrim(["secret", "set", "Seed", "value", "--stage", "other"]);
      cpSync(project.home, join(seed, "home"), { recursive: true });
      cpSync(project.keys, join(seed, "keys"), { recursive: true });
      await project.dispose();
    });
    afterAll(() => rmSync(seed, { recursive: true, force: true }));

    it.each(rows)("is refused: $what", async (row) => {
      const project = makeProject(filesOf(row));
      cpSync(join(seed, "home"), project.home, { recursive: true });
      cpSync(join(seed, "keys"), project.keys, { recursive: true });
      mkdirSync(project.folder, { recursive: true });
      row.prepare?.(project);
      const before = digestOf(project);
      try {
        const result = await project.scrim(row.args ?? ["deploy", "--stage", "dev"], {
          ...(row.env === undefined ? {} : { env: row.env }),
          ...(row.input === undefined ? {} : { input: row.input }),
        });
        expectRefusal(row, result);
        expect(digestOf(project)).toEqual(before);
      } finally {
        await project.dispose();
      }
    });
  });
}

function filesOf(row: RefusedRow): Readonly<Record<string, string | Uint8Array>> {
  const run = row.run ?? 'new scrim.aws.ApiGatewayV2("Api").route("GET /", "src/hello.get");';
  return { "scrim.config.ts": appConfig({ run }), "src/hello.ts": HANDLER, ...row.files };
}

function digestOf({ home, keys }: Project): readonly string[] {
  expect(treeDigest(home)).not.toBe("");
  return [treeDigest(home), treeDigest(keys)];
}

function expectRefusal(row: RefusedRow, { exit, stderr }: CliResult): void {
  for (const text of row.says) expect(stderr).toContain(text);
  for (const text of row.hides ?? []) expect(stderr).not.toContain(text);
  expect(stderr).toMatch(/^Error: /m);
  // A stack is for --verbose.
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(exit).toBe(row.exit ?? 2);
}
