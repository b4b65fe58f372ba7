import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Tokens } from '../../../../bench/soak/tokens.ts';

const issues = (access: string, refresh: string) => (response: ServerResponse) => {
  response.end(JSON.stringify({ access_token: access, refresh_token: refresh, expires_in: 100 }));
};
const refuses = (response: ServerResponse) => response.writeHead(503).end('{"error":"temporarily_unavailable"}');
const breaksOff = (_response: ServerResponse, request: IncomingMessage) => request.socket.resetAndDestroy();

test('tokens are refreshed before they expire, and each time with the newest refresh token', async () => {
  await using server = await endpoint(issues('a2', 'r2'), issues('a3', 'r3'));
  let now = 0;
  const issued = { access_token: 'a1', refresh_token: 'r1', expires_in: 100 };
  const tokens = new Tokens({ baseUrl: server.baseUrl, clientId: 'client', issued, now: () => now });
  expect([tokens.access, tokens.isDue]).toEqual(['a1', false]);
  now = 79_000;
  expect(tokens.isDue).toBe(false);
  now = 81_000;
  expect(tokens.isDue).toBe(true);
  expect(await tokens.refresh()).toBeUndefined();
  expect([tokens.access, tokens.isDue]).toEqual(['a2', false]);
  tokens.startAnew();
  expect(tokens.isDue).toBe(true);
  expect(await tokens.refresh()).toBeUndefined();
  expect([tokens.access, tokens.isDue]).toEqual(['a3', false]);
  expect(server.asked.map(({ refresh_token: token }) => token)).toEqual(['r1', 'r2']);
  expect(server.asked[0]).toEqual({ grant_type: 'refresh_token', client_id: 'client', refresh_token: 'r1' });
  tokens.close();
});

test('a refresh that was refused or not answered says why, stays due, and is repeated with the same token', async () => {
  await using server = await endpoint(refuses, breaksOff, issues('a2', 'r2'));
  const issued = { access_token: 'a1', refresh_token: 'r1', expires_in: 0 };
  const tokens = new Tokens({ baseUrl: server.baseUrl, clientId: 'client', issued, now: () => 0 });
  expect(await tokens.refresh()).toBe('status 503: {"error":"temporarily_unavailable"}');
  expect(await tokens.refresh()).toBe('ECONNRESET');
  expect([tokens.access, tokens.isDue]).toEqual(['a1', true]);
  expect(await tokens.refresh()).toBeUndefined();
  expect([tokens.access, tokens.isDue]).toEqual(['a2', false]);
  expect(server.asked.map(({ refresh_token: token }) => token)).toEqual(['r1', 'r1', 'r1']);
  tokens.close();
});

test('an agent without a refresh token can’t run for hours, and is refused', () => {
  const options = { baseUrl: 'http://127.0.0.1:9', clientId: 'client', issued: { access_token: 'a1' }, now: () => 0 };
  expect(() => new Tokens(options)).toThrow('expected a refresh token');
});

/** A token endpoint that answers each request as the next one of these says. */
async function endpoint(...answers: ((response: ServerResponse, request: IncomingMessage) => void)[]) {
  const asked: Record<string, string>[] = [];
  const server = createServer(async (request, response) => {
    asked.push(Object.fromEntries(new URLSearchParams(await text(request))));
    answers.shift()?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
