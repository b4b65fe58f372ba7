import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStandbyApp } from '../../../../src/connector/http/standby.ts';
import { standbyRefusals } from '../../../../src/connector/standby-refusals.ts';
import { createLog } from '../../../../src/kernel/log.ts';

const log = createLog('standby', 'error', new PassThrough());
const server = createServer(createStandbyApp({ isEnding: () => false, log, ...standbyRefusals }));
let port: number;

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const WHY = expect.stringContaining('this process does not serve now');

for (const [where, path, body] of [
  ['a REST operation', '/v1/status', { error: { code: 'not_serving', message: WHY } }],
  ['a channel', '/v1/channels/room/messages', { error: { code: 'not_serving', message: WHY } }],
  ['an invitation', '/admin/invite', { error: { code: 'not_serving', message: WHY } }],
  ['the metrics', '/metrics', { error: { code: 'not_serving', message: WHY } }],
  ['a path that leads nowhere', '/nowhere', { error: { code: 'not_serving', message: WHY } }],
  ['a path that is not UTF-8', '/%ff', { error: { code: 'not_serving', message: WHY } }],
  ['an address that is none', 'http://[', { error: { code: 'not_serving', message: WHY } }],
  ['MCP', '/mcp', { jsonrpc: '2.0', id: null, error: { code: -32603, message: WHY } }],
  ['a whole address of MCP', 'http://proxied.example/mcp?a=b', { jsonrpc: '2.0', id: null, error: { code: -32603 } }],
  ['tokens', '/oauth/token', { error: 'temporarily_unavailable', error_description: WHY }],
] as const) {
  test(`a standby refuses ${where} in the form of its route, and says when to try again`, async () => {
    const { status, retryAfter, text } = await ask(path, 'POST');

    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' });
    expect(JSON.parse(text)).toMatchObject(body);
  });
}

test('a standby answers a person with a page, and health checks with the reason', async () => {
  const page = await ask('/settings', 'GET', { accept: 'text/html' });
  const health = await ask('/healthz');

  expect([page.status, page.text]).toEqual([503, expect.stringMatching(/^<!doctype html>.*does not serve now/is)]);
  expect([health.status, JSON.parse(health.text)]).toEqual([503, { ok: false, reason: 'standby' }]);
});

interface Answer {
  status: number | undefined;
  retryAfter: string | undefined;
  text: string;
}

/** Sends the address as it is, also one that no client library would send. */
function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'], text });
      });
    });
    asked.on('error', reject).end();
  });
}
