import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type RefusedRow, refuses } from "../../support/refused-rows.ts";

const handler = (text: string, ...says: readonly string[]): RefusedRow => ({
  what: JSON.stringify(text),
  run: `new scrim.aws.ApiGatewayV2("Api").route("GET /", ${JSON.stringify(text)});`,
  files: {
    "src/broken.ts": "export function get( {\n",
    "src/lost.ts": 'import { x } from "./not-there.ts";\nexport const get = () => x;\n',
    "src/native.ts": 'import x from "./binding.node";\nexport const get = () => x;\n',
    "src/binding.node": new Uint8Array([0x7f, 0x45, 0x4c, 0x46]),
  },
  says,
});

refuses("a handler", [
  handler("src/gone.get", 'There is no file for handler "src/gone.get"', "scrim.config.ts:7:"),
  handler("src/hello.nope", "src/hello.ts exports no nope", "the file exports get, limit"),
  handler("src/hello.Get", "src/hello.ts exports no Get", "Did you mean get?"),
  handler("src/Hello.get", "src/Hello"),
  handler("src/broken.get", "src/broken.ts:2:1"),
  handler("src/lost.get", "./not-there.ts", "src/lost.ts:1:"),
  handler("src/native.get", "native code"),
  handler("../../etc/passwd.handler", "The path must stay below the folder of the config."),
  handler("/abs/x.h", "The path must be relative to the folder of the config."),
  handler("src/x", "It must be a path, a dot and the name of an export."),
  handler(".handler", "It must be a path, a dot and the name of an export."),
  handler("src/x.", "What follows the last dot must be the name of an export."),
  handler("", "It must be a path, a dot and the name of an export."),
  {
    ...handler("src/outside.get", "outside"),
    what: "a symbolic link that leaves the project",
    prepare: ({ folder, write }) => {
      write("../outside.ts", "export const get = () => ({ statusCode: 200 });\n");
      symlinkSync(join(folder, "../outside.ts"), join(folder, "src/outside.ts"));
    },
  },
  {
    ...handler("src/loop.get"),
    what: "a symbolic link that leads to itself",
    prepare: ({ folder }) => symlinkSync("loop.ts", join(folder, "src/loop.ts")),
    says: ["src/loop"],
  },
  {
    what: "more files than a function can have",
    run: `new scrim.aws.Function("F", {
      handler: "src/hello.get",
      copyFiles: [{ from: "big.bin" }],
    });`,
    files: { "big.bin": incompressible(51 * 1024 * 1024) },
    says: ["MB"],
  },
]);

/** Bytes that no zip makes smaller, the same each time. */
function incompressible(length: number): Uint8Array {
  const bytes = new Uint32Array(length / 4);
  let state = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return new Uint8Array(bytes.buffer);
}
