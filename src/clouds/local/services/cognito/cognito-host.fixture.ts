import { openPlane } from "../../server/data-plane.fixture.ts";
import { CLIENT_SPEC, POOL_SPEC } from "./cognito.fixture.ts";

/**
 * The entry of a process that a test kills: serves the folder of its first argument and prints
 * where and what.
 */
const [, , folder = ""] = process.argv;
const plane = await openPlane(folder, null);
const instance = await plane.instance("one", "local:user-pool");
const pool = await instance.put("local:user-pool", "crash", POOL_SPEC);
const spec = { ...CLIENT_SPEC, pool: pool["id"] ?? "" };
const client = await instance.put("local:user-pool-client", "crash-client", spec);
const endpoint = `http://127.0.0.1:${plane.port}`;
process.stdout.write(JSON.stringify({ endpoint, poolId: pool["id"], clientId: client["id"] }));
