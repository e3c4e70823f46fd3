/** Secrets of one stage or the fallback of an app: a log without epochs, one frame a commit. Values encrypted. */
export interface SecretsLog {
  /** Names, never values; needs no key. */
  list(): Promise<SecretsListing>;
  /** @throws DiagnosticError `KEY_MISSING`, `KEY_WRONG` (exit 6) */
  read(): Promise<{ readonly serial: number; readonly values: ReadonlyMap<string, string> }>;
  /** Sets (string) and removes (null) names in one commit; a lost race is read again and retried. Returns the serial. */
  commit(changes: ReadonlyMap<string, string | null>): Promise<number>;
  /** Encrypts every value anew under the given key. */
  reencrypt(keyId: string): Promise<number>;
  /** Deletes the whole log, as part of removing a stage. */
  purge(): Promise<void>;
}

export interface SecretsListing {
  readonly serial: number;
  readonly entries: readonly {
    readonly name: string;
    /** ISO 8601. */
    readonly updatedAt: string;
    readonly keyId: string;
  }[];
}
