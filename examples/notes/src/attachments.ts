import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { Resource } from "scrim";
import { bodyOf, type HttpEvent, type HttpResponse, json } from "./http.ts";

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const objects = new S3Client({});

/** PUT /notes/{id}/attachment with any body */
export async function put(event: HttpEvent): Promise<HttpResponse> {
  const id = event.pathParameters?.["id"] ?? "";
  const note = await table.send(new GetCommand({ TableName: Resource.Notes.name, Key: { id } }));
  if (note.Item === undefined) return json(404, { message: "No such note." });
  await objects.send(
    new PutObjectCommand({
      Bucket: Resource.Attachments.name,
      Key: id,
      Body: bodyOf(event),
      ContentType: event.headers["content-type"] ?? "application/octet-stream",
    }),
  );
  return { statusCode: 204 };
}

/** GET /notes/{id}/attachment */
export async function get(event: HttpEvent): Promise<HttpResponse> {
  const id = event.pathParameters?.["id"] ?? "";
  try {
    const found = await objects.send(
      new GetObjectCommand({ Bucket: Resource.Attachments.name, Key: id }),
    );
    const bytes = await found.Body?.transformToByteArray();
    return {
      statusCode: 200,
      headers: { "content-type": found.ContentType ?? "application/octet-stream" },
      body: Buffer.from(bytes ?? []).toString("base64"),
      isBase64Encoded: true,
    };
  } catch (error) {
    if (error instanceof NoSuchKey) return json(404, { message: "No attachment." });
    throw error;
  }
}
