import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DOCUMENT_MAX_BYTES } from '../../../src/connector/domain/limits.ts';
import { documentFetcher } from '../../../src/connector/fetch-document.ts';
import { createOutbound, type Outbound } from '../../../src/connector/outbound/outbound.ts';

let server: Server;
let connections: number;
let answer: RequestListener;
let outbound: Outbound;

beforeEach(async () => {
  connections = 0;
  server = createServer((request, response) => answer(request, response));
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  outbound.close();
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;

const say = (status: number, headers: Record<string, string>, body = '{}'): RequestListener => {
  return (_request, response) => void response.writeHead(status, headers).end(body);
};
const JSON_TYPE = { 'content-type': 'application/json' };

test('a document is what its host answers with 200 and JSON, and how long it may be remembered comes along', async () => {
  const found = await fetched(say(200, { ...JSON_TYPE, 'cache-control': 'max-age=60' }, '{"client_id":"x"}'));

  expect(found).toMatchObject({ kind: 'found', text: '{"client_id":"x"}', headers: { 'cache-control': 'max-age=60' } });
});

test.each([
  ['JSON of a kind of its own', say(200, { 'content-type': 'application/cimd+json; charset=utf-8' }), 'found'],
  ['a document of just the right size', say(200, JSON_TYPE, 'x'.repeat(DOCUMENT_MAX_BYTES)), 'found'],
  ['a longer one', say(200, JSON_TYPE, 'x'.repeat(DOCUMENT_MAX_BYTES + 1)), 'unreachable'],
  ['a page', say(200, { 'content-type': 'text/html' }), 'unreachable'],
  ['no type', say(200, {}), 'unreachable'],
  ['another address', say(302, { ...JSON_TYPE, location: '/other.json' }), 'unreachable'],
  ['a failure', say(500, JSON_TYPE), 'unreachable'],
  ['too many requests', say(429, JSON_TYPE), 'unreachable'],
  ['that there is none', say(404, JSON_TYPE), 'gone'],
  ['that there is none any more', say(410, JSON_TYPE), 'gone'],
])('a host that answers with %s', async (_, listener, kind) => {
  expect((await fetched(listener)).kind).toBe(kind);
  expect(connections).toBe(1);
});

test('a host that closes without an answer is given up', async () => {
  expect((await fetched(() => undefined, 300)).kind).toBe('unreachable');
});

test.each(['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]'])(
  'no byte of a request for a document at %s is sent: it is not public',
  async (host) => {
    answer = say(200, JSON_TYPE);
    outbound = createOutbound();

    expect(await documentFetcher(outbound)(`https://${host}:${port()}/client.json`)).toEqual({ kind: 'unreachable' });
    expect(connections).toBe(0);
  },
);

/** Returns the outcome of an answer, from a host that need not be public here. */
async function fetched(listener: RequestListener, deadlineMs = 60_000): Promise<{ kind: string; text?: string }> {
  answer = listener;
  outbound = createOutbound({ allowHosts: ['127.0.0.1'], deadlineMs });
  return documentFetcher(outbound)(`http://127.0.0.1:${port()}/client.json`);
}
