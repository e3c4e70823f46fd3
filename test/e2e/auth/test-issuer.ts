import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** A code exchange as the token endpoint got it. */
export interface Exchange {
  readonly contentType: string;
  readonly body: string;
}

/** An OpenID Connect issuer on this machine, with one key. */
export interface TestIssuer {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** What the token endpoint gives for any code. */
  accessToken: string;
  /** A token for `notes` that is valid for an hour, unless the claims say otherwise. */
  sign(claims?: JWTPayload): Promise<string>;
  /** The same, signed with a key that nobody knows. */
  forge(claims?: JWTPayload): Promise<string>;
  close(): void;
}

export async function startTestIssuer(): Promise<TestIssuer> {
  const own = await generateKeyPair("RS256", { extractable: true });
  const other = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = { accessToken: "" };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (body: unknown) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    };
    if (request.url === "/.well-known/openid-configuration") {
      return send({ issuer: url, jwks_uri: `${url}/jwks` });
    }
    if (request.url === "/jwks") return send({ keys: [jwk] });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const contentType = request.headers["content-type"] ?? "";
    exchanges.push({ contentType, body: Buffer.concat(chunks).toString() });
    send({ access_token: issuer.accessToken });
  }

  const tokenBy = (key: typeof own.privateKey) => (claims: JWTPayload) => {
    const nowS = Math.floor(Date.now() / 1000);
    const usual = { sub: "u1", email: "ada@example.com", iss: url, aud: "notes" };
    return new SignJWT({ ...usual, iat: nowS - 60, exp: nowS + 3600, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .sign(key);
  };
  return Object.assign(issuer, {
    url,
    exchanges,
    sign: (claims: JWTPayload = {}) => tokenBy(own.privateKey)(claims),
    forge: (claims: JWTPayload = {}) => tokenBy(other.privateKey)(claims),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}
