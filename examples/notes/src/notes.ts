import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteObjectCommand, S3Client } from "@aws-sdk/client-s3";
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
} from "@aws-sdk/lib-dynamodb";
import { Resource } from "scrim";
import { bodyOf, type HttpEvent, type HttpResponse, json } from "./http.ts";

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const objects = new S3Client({});

interface Note {
  readonly id: string;
  readonly text: string;
  readonly createdAt: string;
}

/** GET /notes */
export async function list(): Promise<HttpResponse> {
  const page = await table.send(new ScanCommand({ TableName: Resource.Notes.name, Limit: 100 }));
  const notes = (page.Items ?? []) as Note[];
  return json(
    200,
    notes.sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
  );
}

/** POST /notes with `{ "text": "..." }` */
export async function create(event: HttpEvent): Promise<HttpResponse> {
  const text = textOf(event);
  if (text === null) return json(400, { message: "Send a JSON body with a text." });
  const note: Note = { id: randomUUID(), text, createdAt: new Date().toISOString() };
  await table.send(new PutCommand({ TableName: Resource.Notes.name, Item: note }));
  console.log(`note ${note.id} created`);
  return json(201, note);
}

/** GET /notes/{id} */
export async function read(event: HttpEvent): Promise<HttpResponse> {
  const id = event.pathParameters?.["id"] ?? "";
  const found = await table.send(
    new GetCommand({ TableName: Resource.Notes.name, Key: { id }, ConsistentRead: true }),
  );
  return found.Item === undefined ? json(404, { message: "No such note." }) : json(200, found.Item);
}

/** DELETE /notes/{id}, its attachment included */
export async function remove(event: HttpEvent): Promise<HttpResponse> {
  const id = event.pathParameters?.["id"] ?? "";
  await objects.send(new DeleteObjectCommand({ Bucket: Resource.Attachments.name, Key: id }));
  await table.send(new DeleteCommand({ TableName: Resource.Notes.name, Key: { id } }));
  return { statusCode: 204 };
}

function textOf(event: HttpEvent): string | null {
  try {
    const body: unknown = JSON.parse(bodyOf(event).toString("utf8"));
    const text = (body as { text?: unknown } | null)?.text;
    return typeof text === "string" && text !== "" ? text : null;
  } catch {
    return null;
  }
}
