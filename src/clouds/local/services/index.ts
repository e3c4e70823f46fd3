import type { Service } from "./service.ts";

/**
 * The emulated services and when to load them. A line here and a folder beside this file make a
 * service; nothing else of the local cloud knows one by name.
 */
interface Entry {
  /** As in SigV4 credential scopes. */
  readonly name: string;
  readonly types: readonly string[];
  load(): Promise<Service>;
}

const ENTRIES: readonly Entry[] = [
  {
    name: "s3",
    types: ["local:bucket"],
    load: async () => (await import("./s3/s3-service.ts")).s3Service,
  },
  {
    name: "dynamodb",
    types: ["local:table"],
    load: async () => (await import("./dynamodb/dynamodb-service.ts")).dynamodbService,
  },
  {
    name: "cognito-idp",
    types: ["local:user-pool", "local:user-pool-client"],
    load: async () => (await import("./cognito/cognito-service.ts")).cognitoService,
  },
];

/** The name of the service that keeps a resource type, or null when none does. */
export function serviceNameFor(type: string): string | null {
  return ENTRIES.find((entry) => entry.types.includes(type))?.name ?? null;
}

/** Loads the service that keeps a resource type; null when none does. */
export async function serviceFor(type: string): Promise<Service | null> {
  return (await ENTRIES.find((entry) => entry.types.includes(type))?.load()) ?? null;
}

/** Loads the service of that name; null when there is none. */
export async function serviceNamed(name: string): Promise<Service | null> {
  return (await ENTRIES.find((entry) => entry.name === name)?.load()) ?? null;
}

/** Names of all services: the folders that a stage's data may lie in. */
export function serviceNames(): readonly string[] {
  return ENTRIES.map((entry) => entry.name);
}
