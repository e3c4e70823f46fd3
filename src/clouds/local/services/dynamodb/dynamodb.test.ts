import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  ListTablesCommand,
  TransactWriteItemsCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  paginateScan,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientSettings,
  createDataPlaneFixture,
  type DataPlaneFixture,
} from "../../server/data-plane.fixture.ts";

const TableName = "shop-dev-notes-1a2b";
const SPEC = {
  fields: { user: "string", at: "number", status: "string", title: "string" },
  primaryIndex: { hashKey: "user", rangeKey: "at", projection: "all" },
  globalIndexes: {
    byStatus: { hashKey: "status", rangeKey: null, projection: "all" },
    byTitle: { hashKey: "title", rangeKey: "at", projection: "keys-only" },
  },
  localIndexes: { byUserTitle: { hashKey: "user", rangeKey: "title", projection: ["status"] } },
};

let fixture: DataPlaneFixture;
let client: DynamoDBClient;
let docs: DynamoDBDocumentClient;

beforeAll(async () => {
  fixture = await createDataPlaneFixture();
  client = new DynamoDBClient(clientSettings(fixture.endpoint, "one"));
  docs = DynamoDBDocumentClient.from(client);
  const instance = await fixture.plane.instance("one", "local:table");
  await instance.put("local:table", TableName, SPEC);
});

afterAll(async () => {
  client.destroy();
  await fixture.close();
});

async function put(Item: Record<string, unknown>): Promise<void> {
  await docs.send(new PutCommand({ TableName, Item }));
}

async function get(user: string, at: number) {
  return (await docs.send(new GetCommand({ TableName, Key: { user, at } }))).Item;
}

describe("items", () => {
  it("come back as they were put, of every type", async () => {
    const item = {
      user: "types",
      at: 1,
      text: "h\u00e9llo",
      empty: "",
      number: 1.5,
      flag: true,
      nothing: null,
      list: [1, "a", { b: [] }],
      map: { a: { b: 1 } },
      bytes: new Uint8Array([0, 255]),
      set: new Set(["a", "b"]),
      numbers: new Set([1, 2]),
    };
    await put(item);
    expect(await get("types", 1)).toEqual(item);
    expect(await get("types", 2)).toBeUndefined();
  });

  it("are written only when the condition holds, and the old item is told when asked for", async () => {
    await put({ user: "cond", at: 1, version: 1 });
    const guarded = new PutCommand({
      TableName,
      Item: { user: "cond", at: 1, version: 2 },
      ConditionExpression: "attribute_not_exists(#user)",
      ExpressionAttributeNames: { "#user": "user" },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    await expect(docs.send(guarded)).rejects.toMatchObject({
      name: "ConditionalCheckFailedException",
      Item: expect.objectContaining({ version: { N: "1" } }),
    });
    expect(await get("cond", 1)).toMatchObject({ version: 1 });
  });

  it("count correctly under concurrent updates", async () => {
    const add = new UpdateCommand({
      TableName,
      Key: { user: "count", at: 1 },
      UpdateExpression: "ADD hits :one",
      ExpressionAttributeValues: { ":one": 1 },
      ReturnValues: "UPDATED_NEW",
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => docs.send(add)));
    const seen = answers.map(({ Attributes }) => Number(Attributes?.["hits"]));
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it("are gone when deleted", async () => {
    await put({ user: "gone", at: 1 });
    await docs.send(new DeleteCommand({ TableName, Key: { user: "gone", at: 1 } }));
    await docs.send(new DeleteCommand({ TableName, Key: { user: "gone", at: 1 } }));
    expect(await get("gone", 1)).toBeUndefined();
  });

  it("are refused with DynamoDB's words when they do not fit the table", async () => {
    await expect(put({ user: "x" })).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringContaining("Missing the key at"),
    });
    await expect(put({ user: "x", at: 1, big: "x".repeat(410_000) })).rejects.toMatchObject({
      name: "ValidationException",
    });
  });
});

describe("queries and scans", () => {
  it("answer in the order of the range key, forwards, backwards and in pages", async () => {
    const ats = [-20, -3, 0, 0.5, 7, 30, 100];
    for (const at of [...ats].reverse()) await put({ user: "order", at });
    const input = {
      TableName,
      KeyConditionExpression: "#user = :user AND #at BETWEEN :low AND :high",
      ExpressionAttributeNames: { "#user": "user", "#at": "at" },
      ExpressionAttributeValues: { ":user": "order", ":low": -3, ":high": 30 },
    };
    const forward = await docs.send(new QueryCommand(input));
    expect(forward.Items?.map(({ at }) => at)).toEqual([-3, 0, 0.5, 7, 30]);
    const found: unknown[] = [];
    const pages = paginateQuery(
      { client: docs, pageSize: 2 },
      { ...input, ScanIndexForward: false },
    );
    for await (const page of pages) found.push(...(page.Items ?? []).map(({ at }) => at));
    expect(found).toEqual([30, 7, 0.5, 0, -3]);
  });

  it("find through a global index also items whose keys have the same short hash", async () => {
    // Found by trying: dynalite gives the second and the third of them the same index key.
    const users = ["user 1", "user 7725", "user 12405", "user 2"];
    for (const user of users) await put({ user, at: 1, status: "open" });
    for (const ScanIndexForward of [true, false]) {
      const found: unknown[] = [];
      const pages = paginateQuery(
        { client: docs, pageSize: 1 },
        {
          TableName,
          IndexName: "byStatus",
          ScanIndexForward,
          KeyConditionExpression: "#status = :open",
          ExpressionAttributeNames: { "#status": "status" },
          ExpressionAttributeValues: { ":open": "open" },
        },
      );
      for await (const page of pages) found.push(...(page.Items ?? []).map(({ user }) => user));
      expect(found.sort()).toEqual([...users].sort());
    }
  });

  it("follow changes of an item's index keys", async () => {
    const titled = async (title: string) => {
      const answer = await docs.send(
        new QueryCommand({
          TableName,
          IndexName: "byTitle",
          KeyConditionExpression: "title = :title",
          ExpressionAttributeValues: { ":title": title },
        }),
      );
      return answer.Items;
    };
    await put({ user: "index", at: 1, title: "before", body: "b" });
    expect(await titled("before")).toEqual([{ user: "index", at: 1, title: "before" }]);
    await put({ user: "index", at: 1, title: "after", body: "b" });
    expect(await titled("before")).toEqual([]);
    expect(await titled("after")).toHaveLength(1);
    await docs.send(new DeleteCommand({ TableName, Key: { user: "index", at: 1 } }));
    expect(await titled("after")).toEqual([]);
  });

  it("read whole items through a local index that holds only some attributes", async () => {
    await put({ user: "local", at: 1, title: "t", status: "s", body: "b" });
    const answer = await docs.send(
      new QueryCommand({
        TableName,
        IndexName: "byUserTitle",
        Select: "ALL_ATTRIBUTES",
        KeyConditionExpression: "#user = :user AND begins_with(title, :title)",
        ExpressionAttributeNames: { "#user": "user" },
        ExpressionAttributeValues: { ":user": "local", ":title": "t" },
      }),
    );
    expect(answer.Items).toEqual([{ user: "local", at: 1, title: "t", status: "s", body: "b" }]);
  });

  it("scan everything once, in pages and in parallel segments", async () => {
    const all = await docs.send(new ScanCommand({ TableName, Select: "COUNT" }));
    let counted = 0;
    for (const Segment of [0, 1, 2]) {
      const pages = paginateScan(
        { client: docs, pageSize: 3 },
        { TableName, Segment, TotalSegments: 3 },
      );
      for await (const page of pages) counted += page.Count ?? 0;
    }
    expect(counted).toBe(all.Count);
    const filtered = await docs.send(
      new ScanCommand({
        TableName,
        FilterExpression: "#user = :user",
        ExpressionAttributeNames: { "#user": "user" },
        ExpressionAttributeValues: { ":user": "order" },
      }),
    );
    expect(filtered.Count).toBe(7);
  });

  it("put and get many items at once", async () => {
    const item = { user: { S: "batch" }, at: { N: "1" } };
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: { [TableName]: [{ PutRequest: { Item: item } }] },
      }),
    );
    const answer = await client.send(
      new BatchGetItemCommand({
        RequestItems: {
          [TableName]: {
            Keys: [1, 2].map((at) => ({ user: { S: "batch" }, at: { N: String(at) } })),
          },
        },
      }),
    );
    expect(answer.Responses?.[TableName]).toEqual([{ user: { S: "batch" }, at: { N: "1" } }]);
  });
});

describe("transactions", () => {
  const check = {
    ConditionCheck: {
      TableName,
      Key: { user: "tx", at: 99 },
      ConditionExpression: "attribute_exists(#user)",
      ExpressionAttributeNames: { "#user": "user" },
    },
  };
  const write = (at: number) => ({ Put: { TableName, Item: { user: "tx", at, status: "tx" } } });

  it("write all or nothing, index entries included, and tell each reason", async () => {
    const attempt = new TransactWriteCommand({ TransactItems: [write(1), check, write(2)] });
    await expect(docs.send(attempt)).rejects.toMatchObject({
      name: "TransactionCanceledException",
      CancellationReasons: [{ Code: "None" }, { Code: "ConditionalCheckFailed" }, { Code: "None" }],
    });
    expect(await get("tx", 1)).toBeUndefined();
    await docs.send(new TransactWriteCommand({ TransactItems: [write(1), write(2)] }));
    const got = await docs.send(
      new TransactGetCommand({
        TransactItems: [1, 3].map((at) => ({ Get: { TableName, Key: { user: "tx", at } } })),
      }),
    );
    expect(got.Responses?.map(({ Item }) => Item?.["at"])).toEqual([1, undefined]);
  });

  it("are done once for one token, and refuse it for another request", async () => {
    const add = (amount: string) =>
      new TransactWriteItemsCommand({
        ClientRequestToken: "token-1",
        TransactItems: [
          {
            Update: {
              TableName,
              Key: { user: { S: "token" }, at: { N: "1" } },
              UpdateExpression: "ADD hits :n",
              ExpressionAttributeValues: { ":n": { N: amount } },
            },
          },
        ],
      });
    await client.send(add("1"));
    await client.send(add("1"));
    expect(await get("token", 1)).toMatchObject({ hits: 1 });
    await expect(client.send(add("2"))).rejects.toMatchObject({
      name: "IdempotentParameterMismatchException",
    });
  });

  it("refuse two writes of one item", async () => {
    const twice = new TransactWriteCommand({ TransactItems: [write(5), write(5)] });
    await expect(docs.send(twice)).rejects.toMatchObject({ name: "ValidationException" });
  });
});

describe("tables", () => {
  it("are active at once, with the account and region of the local cloud", async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({
      TableStatus: "ACTIVE",
      TableArn: `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`,
    });
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexStatus }) => IndexStatus)).toEqual([
      "ACTIVE",
      "ACTIVE",
    ]);
  });

  it("are listed for their own stage only", async () => {
    const other = new DynamoDBClient(clientSettings(fixture.endpoint, "two"));
    const instance = await fixture.plane.instance("two", "local:table");
    await instance.put("local:table", "other-table", {
      fields: { id: "string" },
      primaryIndex: { hashKey: "id", rangeKey: null },
    });
    expect((await other.send(new ListTablesCommand())).TableNames).toEqual(["other-table"]);
    expect((await client.send(new ListTablesCommand())).TableNames).toEqual([TableName]);
    await expect(
      DynamoDBDocumentClient.from(other).send(
        new GetCommand({ TableName, Key: { user: "a", at: 1 } }),
      ),
    ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    other.destroy();
  });

  it("fill an index that is added to them and forget one that is dropped", async () => {
    const instance = await fixture.plane.instance("one", "local:table");
    const fields = { id: "string" };
    const primaryIndex = { hashKey: "id", rangeKey: null };
    const plain = { fields, primaryIndex };
    const indexed = {
      fields: { ...fields, color: "string" },
      primaryIndex,
      globalIndexes: { byColor: { hashKey: "color", rangeKey: null, projection: "all" } },
    };
    await instance.put("local:table", "grows", plain);
    for (const [id, color] of [
      ["1", "red"],
      ["2", 5],
      ["3", "red"],
      ["4", undefined],
    ] as const)
      await docs.send(new PutCommand({ TableName: "grows", Item: color ? { id, color } : { id } }));
    await instance.put("local:table", "grows", indexed);
    await instance.put("local:table", "grows", indexed);
    const red = new QueryCommand({
      TableName: "grows",
      IndexName: "byColor",
      KeyConditionExpression: "color = :color",
      ExpressionAttributeValues: { ":color": "red" },
    });
    expect((await docs.send(red)).Items?.map(({ id }) => id).sort()).toEqual(["1", "3"]);
    await instance.put("local:table", "grows", plain);
    await expect(docs.send(red)).rejects.toMatchObject({ name: "ValidationException" });
    const other = { fields, primaryIndex: { hashKey: "id", rangeKey: "id" } };
    await expect(instance.put("local:table", "grows", other)).rejects.toThrow(/grows/);
    await instance.delete("local:table", "grows");
    await instance.delete("local:table", "grows");
    expect(await instance.names("local:table")).toEqual([TableName]);
  });

  it("refuse by name what the local cloud does not do", async () => {
    await expect(
      client.send(new ExecuteStatementCommand({ Statement: "SELECT * FROM x" })),
    ).rejects.toMatchObject({
      name: "UnknownOperationException",
      message: "DynamoDB on the local cloud does not support ExecuteStatement",
    });
    await expect(
      client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled: true, AttributeName: "x" },
        }),
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining("UpdateTimeToLive") });
    await expect(
      client.send(
        new CreateTableCommand({
          TableName: "mine",
          AttributeDefinitions: [{ AttributeName: "a", AttributeType: "S" }],
          KeySchema: [{ AttributeName: "a", KeyType: "HASH" }],
          BillingMode: "PAY_PER_REQUEST",
        }),
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining("CreateTable") });
  });
});

describe("signatures", () => {
  it.each([
    ["an access key of nobody", { accessKeyId: "NOBODY" }, "UnrecognizedClientException"],
    ["another secret", { secretAccessKey: "wrong" }, "InvalidSignatureException"],
  ])("with %s are refused", async (_, change, name) => {
    const settings = clientSettings(fixture.endpoint, "one");
    const wrong = new DynamoDBClient({
      ...settings,
      credentials: { ...settings.credentials, ...change },
    });
    await expect(wrong.send(new ListTablesCommand())).rejects.toMatchObject({ name });
    wrong.destroy();
  });
});
