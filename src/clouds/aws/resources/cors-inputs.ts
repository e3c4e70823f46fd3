import type { JsonObject } from "../../../model/json.ts";
import { booleanIn, numberOrNullIn, objectOrNullIn, stringsIn } from "./input-parsers.ts";

/** The input `cors`, parsed. */
export interface Cors {
  readonly allowOrigins: string[];
  readonly allowMethods: string[];
  readonly allowHeaders: string[];
  readonly exposeHeaders: string[];
  readonly allowCredentials: boolean;
  /** Seconds. */
  readonly maxAge: number | null;
}

/** @throws Error when the input `cors` is neither null nor of that form */
export function corsIn(inputs: JsonObject): Cors | null {
  const cors = objectOrNullIn(inputs, "cors");
  if (cors === null) return null;
  return {
    allowOrigins: stringsIn(cors, "allowOrigins"),
    allowMethods: stringsIn(cors, "allowMethods"),
    allowHeaders: stringsIn(cors, "allowHeaders"),
    exposeHeaders: stringsIn(cors, "exposeHeaders"),
    allowCredentials: booleanIn(cors, "allowCredentials"),
    maxAge: numberOrNullIn(cors, "maxAge"),
  };
}

/** As a function's URL takes it: it answers preflights by itself, and refuses to be told of their method. */
export function urlCors(cors: Cors) {
  const allowMethods = cors.allowMethods.filter((method) => method !== "OPTIONS");
  return gatewayCors({ ...cors, allowMethods });
}

/** As API Gateway takes it. */
export function gatewayCors(cors: Cors) {
  return {
    AllowOrigins: cors.allowOrigins,
    AllowMethods: cors.allowMethods,
    AllowHeaders: cors.allowHeaders,
    ExposeHeaders: cors.exposeHeaders,
    AllowCredentials: cors.allowCredentials,
    ...(cors.maxAge === null ? {} : { MaxAge: cors.maxAge }),
  };
}
