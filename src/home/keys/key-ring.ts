/** A key of one app. Its id is derived from it, so an id also tells whether a key is the right one. */
export interface AppKey {
  /** 16 hex digits; not secret. */
  readonly id: string;
  /** 32 bytes; used only through the keys that are derived from it. */
  readonly bytes: Uint8Array;
}

/** The keys of all apps, kept outside the home: who has only the home can read no secret. */
export interface KeyRing {
  /** Where the keys are, for people. */
  readonly location: string;
  /** Ids of an app's keys, newest first. */
  ids(app: string): Promise<readonly string[]>;
  /** Null when it is not here. */
  get(app: string, keyId: string): Promise<AppKey | null>;
  /** The newest key, which encrypts what is written; null when the app has none. */
  current(app: string): Promise<AppKey | null>;
  /** Makes the first key. Of several that do so at once one wins, and all get its key. */
  create(app: string): Promise<AppKey>;
  /** Makes a further key, which is the current one from now on. Older keys stay. */
  add(app: string): Promise<AppKey>;
  /** All keys of an app as text, one a line, oldest first; empty when there are none. */
  export(app: string): Promise<string>;
  /**
   * Adds the keys of an exported text that are not here yet.
   *
   * @throws DiagnosticError `KEY_INVALID` (exit 2) when the text is not one that was exported
   */
  import(app: string, text: string): Promise<readonly string[]>;
}
