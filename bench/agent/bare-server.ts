/**
 * bare-server.ts PORT
 * The smallest server in Node: a fixed answer of the size of the agent's metrics, from a CommonJS file, which starts
 * quickest.
 */
import { createServer } from 'node:http';

const BODY_BYTES = 9_000;

const body = Buffer.alloc(BODY_BYTES, 'x');
createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length });
  response.end(body);
}).listen(Number(process.argv[2]), '127.0.0.1');
