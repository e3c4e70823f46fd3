import { auth } from "scrim/auth";
import type { HttpResponse } from "./http.ts";

const PAGE = `<!doctype html>
<html lang="en">
<title>Notes</title>
<h1>You are signed in</h1>
<p>The token is in the address. Send it as a bearer to see who you are:</p>
<pre>curl -H "authorization: Bearer TOKEN" /me</pre>
</html>
`;

/** GET /dashboard */
export async function show(): Promise<HttpResponse> {
  return {
    statusCode: 200,
    headers: { ...auth.securityHeaders, "content-type": "text/html; charset=utf-8" },
    body: PAGE,
  };
}
