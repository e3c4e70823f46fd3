import {
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  GetObjectCommand,
  ListBucketsCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";

/** A handler that tells its own credentials, for a route that {@link openData} asks. */
export const DATA_HANDLER = `export async function data() {
  const { AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  return {
    endpoint: AWS_ENDPOINT_URL_S3,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
  };
}
`;

/** The data of one stage, as its own functions reach it. Items have the text key `id` and a `text`. */
export interface StageData {
  putItem(table: string, id: string, text: string): Promise<void>;
  /** Null when there is no such item. */
  getItem(table: string, id: string): Promise<string | null>;
  putObject(bucket: string, key: string, bytes: Uint8Array): Promise<void>;
  getObject(bucket: string, key: string): Promise<Uint8Array | null>;
  /** `local:bucket <name>` and `local:table <name>`, sorted. */
  names(): Promise<readonly string[]>;
  close(): void;
}

/** @param url of a route with {@link DATA_HANDLER} */
export async function openData(url: string): Promise<StageData> {
  const { endpoint, accessKeyId, secretAccessKey } = (await (await fetch(url)).json()) as Record<
    "endpoint" | "accessKeyId" | "secretAccessKey",
    string
  >;
  const options = {
    ...{ endpoint, credentials: { accessKeyId, secretAccessKey } },
    ...{ region: "us-east-1", forcePathStyle: true },
  };
  const s3 = new S3Client(options);
  const dynamo = new DynamoDBClient(options);
  return {
    putItem: async (TableName, id, text) => {
      const Item = { id: { S: id }, text: { S: text } };
      await dynamo.send(new PutItemCommand({ TableName, Item }));
    },
    getItem: async (TableName, id) => {
      const request = new GetItemCommand({ TableName, Key: { id: { S: id } } });
      return (await dynamo.send(request)).Item?.["text"]?.S ?? null;
    },
    putObject: async (Bucket, Key, Body) => {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    },
    getObject: async (Bucket, Key) => {
      try {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
        return (await Body?.transformToByteArray()) ?? null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    names: async () => {
      const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
      const { TableNames = [] } = await dynamo.send(new ListTablesCommand({}));
      const buckets = Buckets.map(({ Name }) => `local:bucket ${Name}`);
      return [...buckets, ...TableNames.map((name) => `local:table ${name}`)].sort();
    },
    close: () => {
      s3.destroy();
      dynamo.destroy();
    },
  };
}
