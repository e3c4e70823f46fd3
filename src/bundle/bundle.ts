/** One function's code, ready for any cloud. */
export interface Bundle {
  /** SHA-256 (hex) of the byte-stable zip; equal bytes, equal hash, on any machine. */
  readonly hash: string;
  /** Absolute path of the zip in `.scrim/cache/bundles/`. Holds `index.mjs`, maybe `index.mjs.map`, copied files. */
  readonly zipFile: string;
  readonly sizeBytes: number;
  /** What Lambda's handler setting is: `index.<export>`. */
  readonly handler: string;
  /** Absolute paths of every source file that went in; what `dev` watches. */
  readonly inputs: readonly string[];
}
