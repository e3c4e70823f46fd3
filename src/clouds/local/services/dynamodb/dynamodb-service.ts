import type { Service } from "../service.ts";
import { makeServiceFolder } from "../service-folder.ts";
import { DynamodbInstance } from "./dynamodb-instance.ts";
import { DynamodbStore } from "./dynamodb-store.ts";

/**
 * DynamoDB: tables with their items. docs/reference/local-dynamodb.md lists what it can and cannot
 * do.
 */
export const dynamodbService: Service = {
  name: "dynamodb",
  types: ["local:table"],
  async open(options) {
    await makeServiceFolder(options.folder);
    return new DynamodbInstance(new DynamodbStore(options.folder), options);
  },
};
