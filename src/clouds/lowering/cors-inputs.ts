import type { CorsSpec } from "../../components/node.ts";
import type { Json } from "../../model/json.ts";

/** CORS settings as an input. */
export function corsInputs(cors: CorsSpec | null): Json {
  return cors === null ? null : { ...cors };
}
