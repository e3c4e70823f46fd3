// How fast tokens are verified, against `crypto.verify` alone on the same tokens in the same run, and what the adapters
// weigh. Alone: node scripts/bench/jwt.mjs, after a build.
import { generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { median } from "./measure/paired.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const TOKENS = 1_000;
const ROUNDS = 25;
/** Tokens of one turn. */
const CHUNK = 50;

/** Bars: at least these shares of the speed of `crypto.verify`. */
const BARS = { RS256: { unseen: 0.65, seen: 10 }, ES256: { unseen: 0.83, seen: 30 } };
const ADAPTER_GZIP_BYTES_MAX = 8 * 1024;

/**
 * @typedef {{ what: string, figure: number, unit: string, bar: number, isWithin: boolean }} Row
 * @returns {Promise<Row[]>}
 */
export async function jwtRows() {
  const { verifyToken } = await import(join(root, "dist/auth/index.js"));
  const rows = [];
  for (const algorithm of ["RS256", "ES256"]) {
    const issuer = await startIssuer(algorithm);
    try {
      const { unseen, seen } = await speeds(issuer, verifyToken);
      const bar = BARS[algorithm];
      rows.push(atLeast(`${algorithm}, token not seen before`, unseen, bar.unseen));
      rows.push(atLeast(`${algorithm}, token seen before`, seen, bar.seen));
      if (algorithm === "ES256") rows.push(await coldFetches(issuer, verifyToken));
    } finally {
      issuer.close();
    }
  }
  rows.push(await adapterSize());
  return rows;
}

function atLeast(what, figure, bar) {
  return {
    what: `JWT verify, ${what}`,
    figure,
    unit: "x crypto.verify",
    bar,
    isWithin: figure >= bar,
  };
}

/** Floor and subject take turns of a few tokens, so that what else the machine does disturbs both alike. */
async function speeds(issuer, verifyToken) {
  const unseen = [];
  const seen = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // An address of its own is a key set that has seen no token.
    const options = { jwksUri: issuer.newAddress(), issuer: issuer.name };
    await verifyToken(issuer.extraToken, options);
    const ms = { floor: 0, unseen: 0, seen: 0 };
    for (let from = 0; from < TOKENS; from += CHUNK) {
      const chunk = issuer.tokens.slice(from, from + CHUNK);
      const began = process.cpuUsage();
      issuer.floor(from, from + CHUNK);
      ms.floor += cpuMsSince(began);
      ms.unseen += await verifyAll(chunk, options, verifyToken);
      ms.seen += await verifyAll(chunk, options, verifyToken);
    }
    // The first rounds are for the compiler.
    if (round < 3) continue;
    unseen.push(ms.floor / ms.unseen);
    seen.push(ms.floor / ms.seen);
  }
  return { unseen: median(unseen), seen: median(seen) };
}

async function verifyAll(tokens, options, verifyToken) {
  const began = process.cpuUsage();
  for (const token of tokens) await verifyToken(token, options);
  return cpuMsSince(began);
}

/** Time on the processor, garbage collection included, and nothing of what others did meanwhile. */
function cpuMsSince(began) {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

async function coldFetches(issuer, verifyToken) {
  const before = issuer.requests();
  const options = { jwksUri: issuer.newAddress(), issuer: issuer.name };
  await Promise.all(issuer.tokens.slice(0, 1_000).map((token) => verifyToken(token, options)));
  const figure = issuer.requests() - before;
  const what = "key set fetches for 1,000 cold verifications at once";
  return { what, figure, unit: "fetches", bar: 1, isWithin: figure === 1 };
}

async function adapterSize() {
  const contents = 'export { AuthAdapter } from "./dist/auth/adapter/index.js";';
  const result = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  const figure = gzipSync(result.outputFiles[0].contents, { level: 9 }).length;
  const bar = ADAPTER_GZIP_BYTES_MAX;
  const what = "scrim/auth/adapter bundled, gzip";
  return { what, figure, unit: "bytes", bar, isWithin: figure <= bar };
}

/** Keys, tokens as Cognito makes them, and a server on this machine that publishes the keys. */
async function startIssuer(algorithm) {
  const name = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf123";
  const pair =
    algorithm === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const tokens = Array.from({ length: TOKENS }, () => newToken(algorithm, pair.privateKey, name));
  const verifyKey = { key: pair.publicKey, dsaEncoding: "ieee-p1363" };
  const parts = tokens.map((token) => {
    const end = token.lastIndexOf(".");
    return [Buffer.from(token.slice(0, end)), Buffer.from(token.slice(end + 1), "base64url")];
  });
  const jwk = { ...pair.publicKey.export({ format: "jwk" }), kid: "key", alg: algorithm };
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  let addresses = 0;
  return {
    name,
    tokens,
    extraToken: newToken(algorithm, pair.privateKey, name),
    floor: (from, to) => {
      for (const [signed, signature] of parts.slice(from, to)) {
        if (!verify("sha256", signed, verifyKey, signature)) throw new Error("A token is wrong");
      }
    },
    newAddress: () => {
      addresses += 1;
      return `http://127.0.0.1:${server.address().port}/${addresses}`;
    },
    requests: () => requests,
    close: () => server.close(),
  };
}

function newToken(algorithm, key, issuer) {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    sub: randomUUID(),
    "cognito:groups": ["admins"],
    iss: issuer,
    version: 2,
    client_id: "1example23456789",
    origin_jti: randomUUID(),
    event_id: randomUUID(),
    token_use: "access",
    scope: "openid email",
    auth_time: now,
    exp: now + 3600,
    iat: now,
    jti: randomUUID(),
    username: randomUUID(),
  };
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ kid: "key", alg: algorithm })}.${encode(payload)}`;
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const row of await jwtRows()) {
    const verdict = row.isWithin ? "ok" : "over";
    const figure = Number.isInteger(row.figure) ? row.figure : row.figure.toFixed(2);
    console.log(`${verdict.padEnd(5)} ${row.what}: ${figure} ${row.unit} (bar ${row.bar})`);
  }
}
