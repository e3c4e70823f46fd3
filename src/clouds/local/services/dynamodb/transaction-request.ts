import { validationError } from "./dynamodb-error.ts";
import { type Item, isItem } from "./row-store.ts";

/** DynamoDB's limit of one transaction. */
const ACTIONS_MAX = 100;

/** One member of a transaction's list. */
export interface TransactionEntry {
  readonly kind: string;
  /** As the operation of that name takes it. */
  readonly request: Item;
}

/**
 * Reads `TransactItems`: each member an object with one key, the kind.
 *
 * @throws DynamodbError ValidationException
 */
export function parseTransactItems(
  request: Item,
  kinds: readonly string[],
): readonly TransactionEntry[] {
  const items = request["TransactItems"];
  if (!Array.isArray(items) || items.length < 1 || items.length > ACTIONS_MAX)
    throw validationError(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length between 1 and ${ACTIONS_MAX}`,
    );
  return items.map((item: unknown) => {
    const members = isItem(item) ? Object.entries(item) : [];
    const [first, second] = members;
    if (first === undefined || second !== undefined || !kinds.includes(first[0]))
      throw validationError(`TransactItems can only contain one of ${kinds.join(", ")}`);
    const [kind, inner] = first;
    if (!isItem(inner)) throw validationError(`${kind} must be an object`);
    return { kind, request: inner };
  });
}
