import { Resource } from "scrim";
import { type HttpResponse, json } from "./http.ts";

/** GET / */
export async function show(): Promise<HttpResponse> {
  return json(200, { app: Resource.App.name, stage: Resource.App.stage, notes: "/notes" });
}
