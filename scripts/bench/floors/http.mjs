// The least that answering a request over HTTP takes. Sends its port to its parent.
import { createServer } from "node:http";

const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"message":"hello"}');
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
process.on("disconnect", () => process.exit());
