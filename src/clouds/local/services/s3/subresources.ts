/**
 * Query parameters that select an operation, with the end of that operation's name (Amazon S3 API
 * reference, 2026): `GET ?acl` on an object is `GetObjectAcl`.
 */
export const SUBRESOURCES: ReadonlyMap<string, string> = new Map([
  ["accelerate", "AccelerateConfiguration"],
  ["acl", "Acl"],
  ["analytics", "AnalyticsConfiguration"],
  ["attributes", "Attributes"],
  ["cors", "Cors"],
  ["delete", "Objects"],
  ["encryption", "Encryption"],
  ["intelligent-tiering", "IntelligentTieringConfiguration"],
  ["inventory", "InventoryConfiguration"],
  ["legal-hold", "LegalHold"],
  ["lifecycle", "LifecycleConfiguration"],
  ["list-type", "ListType"],
  ["location", "Location"],
  ["logging", "Logging"],
  ["metadataConfiguration", "MetadataConfiguration"],
  ["metadataTable", "MetadataTableConfiguration"],
  ["metrics", "MetricsConfiguration"],
  ["notification", "NotificationConfiguration"],
  ["object-lock", "LockConfiguration"],
  ["ownershipControls", "OwnershipControls"],
  ["partNumber", "Part"],
  ["policy", "Policy"],
  ["policyStatus", "PolicyStatus"],
  ["publicAccessBlock", "PublicAccessBlock"],
  ["renameObject", "Rename"],
  ["replication", "Replication"],
  ["requestPayment", "RequestPayment"],
  ["restore", "Restore"],
  ["retention", "Retention"],
  ["select", "SelectContent"],
  ["session", "Session"],
  ["tagging", "Tagging"],
  ["torrent", "Torrent"],
  ["uploadId", "MultipartUpload"],
  ["uploads", "MultipartUploads"],
  ["versioning", "Versioning"],
  ["versions", "Versions"],
  ["website", "Website"],
]);

const VERBS: Readonly<Record<string, string>> = {
  GET: "Get",
  HEAD: "Head",
  PUT: "Put",
  POST: "Post",
  DELETE: "Delete",
};

/** A name for an operation that is not supported; the SDK sends its own as `x-id`. */
export function operationName(
  method: string,
  scope: "service" | "bucket" | "object",
  query: ReadonlyMap<string, string>,
): string {
  const sent = query.get("x-id") ?? "";
  if (/^[A-Za-z]{1,64}$/.test(sent)) return sent;
  const parameter = [...query.keys()].find((name) => SUBRESOURCES.has(name));
  if (parameter === undefined && method === "POST" && scope === "bucket")
    return "PostObject (uploads by HTML form)";
  if (parameter === "versions") return "ListObjectVersions";
  const noun = scope === "service" ? "Service" : scope === "bucket" ? "Bucket" : "Object";
  const suffix = parameter === undefined ? "" : (SUBRESOURCES.get(parameter) ?? "");
  return `${VERBS[method] ?? `the method ${method} for `}${noun}${suffix}`;
}
