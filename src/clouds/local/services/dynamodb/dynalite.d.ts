/**
 * The parts of dynalite 4 that are used: its parsers, validators and actions, each a CommonJS
 * module of its own.
 */
declare module "dynalite/db/index.js" {
  interface IndexActions {
    readonly puts: readonly {
      readonly index: string;
      readonly key: string;
      readonly item: object;
    }[];
  }
  const db: {
    /** The key that a row of a table or index sorts by: printable ASCII below `~`. */
    createKey(item: object, table: object, keySchema?: object): string;
    createIndexKey(item: object, table: object, keySchema: object): string;
    getIndexActions(indexes: object, before: null, item: object, table: object): IndexActions;
    /** An error, or null or undefined when the condition holds. */
    checkConditional(data: object, existing: object | undefined): Error | null | undefined;
    validateKey(key: object, table: object): Error | null | undefined;
  };
  export default db;
}

declare module "dynalite/validations/index.js" {
  const validations: {
    /**
     * A copy without members that the types do not know. Throws an error with `statusCode` and
     * `body`.
     */
    checkTypes(data: object, types: object): object;
    checkValidations(data: object, types: object, custom: unknown, store: object): void;
  };
  export default validations;
}

declare module "dynalite/validations/*" {
  const validation: { readonly types: object; readonly custom?: unknown };
  export default validation;
}

declare module "dynalite/actions/*" {
  const action: (
    store: object,
    data: object,
    callback: (error: unknown, result?: unknown) => void,
  ) => void;
  export default action;
}
