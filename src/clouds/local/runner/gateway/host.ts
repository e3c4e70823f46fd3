/**
 * Whether a `Host` header names this machine's loopback. A page from elsewhere whose name was pointed at 127.0.0.1
 * (DNS rebinding) still sends its own name, so it is told apart here.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  return LOOPBACK.has(name) || /^[a-z0-9.-]+\.localhost$/.test(name);
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
