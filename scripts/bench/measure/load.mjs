// Asks a URL again and again over ten connections that stay open, as fast as answers come. Run as a process of its own,
// `node load.mjs <url> <requests>`; prints the milliseconds it took.
import { connect } from "node:net";

const CONNECTIONS = 10;
const HEAD_END = Buffer.from("\r\n\r\n");

const [address, requests] = process.argv.slice(2);
const url = new URL(address);
const request = `GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`;
let left = Number(requests);

/** Bare sockets: an HTTP client would take more of the machine than what is measured. */
function keepAsking() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => ask());
    let waiting = Buffer.alloc(0);
    const ask = () => {
      if (left <= 0) return socket.end(resolve);
      left -= 1;
      socket.write(request);
    };
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("data", (bytes) => {
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
      const head = waiting.indexOf(HEAD_END);
      if (head === -1) return;
      const text = waiting.toString("latin1", 0, head);
      if (!text.startsWith("HTTP/1.1 200")) return reject(new Error(text));
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (!(waiting.length >= head + HEAD_END.length + length)) return;
      waiting = Buffer.alloc(0);
      ask();
    });
  });
}

const began = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking));
process.stdout.write(String(performance.now() - began));
