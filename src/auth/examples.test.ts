import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import * as adapter from "./adapter/index.ts";
import * as index from "./index.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const PAGES = ["docs/guide/protect-a-route.md", "docs/reference/auth.md", "README.md"];

/** What is linked in the examples, as the generated `scrim-env.d.ts` tells it. */
const LINKS = `declare module "scrim" {
  interface Resource {
    readonly Api: { readonly url: string };
    readonly Users: { readonly id: string; readonly domain: string };
    readonly Web: { readonly id: string; readonly secret: string };
  }
}
export {};
`;

const folder = mkdtempSync(join(tmpdir(), "scrim-auth-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Example {
  readonly from: string;
  readonly code: string;
}

/** What stands behind `@example` in comments, as it would be in a file. */
function examplesInSource(): readonly Example[] {
  const sources = readdirSync(here, { recursive: true, encoding: "utf8" });
  return sources
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .flatMap((from) => {
      const text = readFileSync(join(here, from), "utf8");
      const blocks = text.matchAll(/^ *\* @example\n((?: *\*(?!\/).*\n)+)/gm);
      return [...blocks].map(([, block = ""]) => ({
        from,
        code: block.replaceAll(/^ *\* ?/gm, ""),
      }));
    });
}

function examplesInPages(): readonly Example[] {
  return PAGES.flatMap((from) => {
    const text = readFileSync(join(root, from), "utf8");
    const blocks = [...text.matchAll(/^```ts(?: fragment)?\n([\s\S]*?)^```/gm)];
    return blocks
      .map(([, code = ""]) => ({ from, code }))
      .filter(({ code }) => code.includes('"scrim/auth'));
  });
}

/** What an example imports of this folder. */
function importsIn(code: string): string {
  const found = code.matchAll(/import (?:type )?\{([^}]*)\} from "scrim\/auth(?:\/adapter)?"/g);
  return [...found].map(([, names = ""]) => names).join(", ");
}

/** Names that a module exports, types among them. */
function exportsOf(file: string): readonly string[] {
  const text = readFileSync(join(here, file), "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/^type /, "")),
  );
  const own = [...text.matchAll(/^export (?:const|type) (\w+)/gm)].map(([, name = ""]) => name);
  return [...lists, ...own].filter((name) => name !== "");
}

it("every example compiles, and every export has one", () => {
  const inSource = examplesInSource();
  const examples = [...inSource, ...examplesInPages()];
  examples.forEach(({ code }, number) => {
    writeFileSync(join(folder, `example-${number}.ts`), `${code}\nexport {};\n`);
  });
  writeFileSync(join(folder, "scrim-env.ts"), LINKS);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const paths = {
    scrim: [join(root, "src/runtime/index.ts")],
    "scrim/auth": [join(here, "index.ts")],
    "scrim/auth/adapter": [join(here, "adapter/index.ts")],
  };
  const typeRoots = [join(root, "node_modules/@types")];
  const compilerOptions = { paths, typeRoots, noEmit: true, skipLibCheck: true };
  const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const run = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  const named = run.stdout.replaceAll(/example-(\d+)\.ts/g, (_, number: string) => {
    return `${examples[Number(number)]?.from} (example ${number})`;
  });
  expect([named, run.status]).toEqual(["", 0]);

  const imports = examples.map(({ code }) => importsIn(code)).join(", ");
  const exported = ["index.ts", "adapter/index.ts"].flatMap(exportsOf);
  expect(exported.length).toBeGreaterThan(25);
  expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(imports))).toEqual([]);
  const all = inSource.map(({ code }) => code).join("\n");
  const members = [
    ...Object.keys(index.auth).map((name) => `auth.${name}`),
    ...Object.keys(adapter.AuthAdapter).map((name) => `AuthAdapter.${name}`),
  ];
  expect(members.length).toBeGreaterThan(6);
  expect(members.filter((name) => !all.includes(name))).toEqual([]);
}, 60_000);
