import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fetchReport, parseReport } from 'homeport/report';
import { expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { agent, test } from '../../harness/fixtures/shared-agent.ts';
import { processorMsUntil } from '../../harness/processor-time.ts';
import { AGENT_TOKEN } from '../../harness/start-agent.ts';

/** A server that answers every request with this. */
async function startServer(status: number, body: string | Buffer, headers: Record<string, string> = {}) {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dispose = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: dispose };
}

test('a report comes with the services asked for, in their order', async () => {
  const units = ['a.service', 'b.timer'];

  const result = await fetchReport({ baseUrl: agent.baseUrl, token: AGENT_TOKEN, units });

  expect(result).toMatchObject({ ok: true, report: { load: expect.any(Array) } });
  expect(result.ok && result.report.services?.map(({ unit }) => unit)).toEqual(units);
});

/** A proxy that has the agent below a path of its own, and the paths that were requested of it. */
async function startProxy(prefix: string) {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const url = incoming.url ?? '';
    asked.push(url);
    if (!url.startsWith(`${prefix}/v1/`)) return void response.writeHead(404).end();
    const { authorization = '' } = incoming.headers;
    request(`${agent.baseUrl}${url.slice(prefix.length)}`, { headers: { authorization } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502);
      answer.pipe(response);
    }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dispose = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, origin, [Symbol.asyncDispose]: dispose };
}

test('an agent below the path of a proxy is asked there, with a slash at the end of its address and without', async () => {
  await using proxy = await startProxy('/hub/host1');
  const request = { token: AGENT_TOKEN, units: ['a.service'] };

  const results = [
    await fetchReport({ ...request, baseUrl: `${proxy.origin}/hub/host1` }),
    await fetchReport({ ...request, baseUrl: new URL(`${proxy.origin}/hub/host1/?x=1#here`) }),
  ];

  expect(proxy.asked).toEqual(Array(2).fill('/hub/host1/v1/report?unit=a.service'));
  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
});

test('a wrong token, a bad unit name and a missing agent are distinguished', async () => {
  const { baseUrl } = agent;

  expect(await fetchReport({ baseUrl, token: 'wrong' })).toMatchObject({
    ok: false,
    code: 'unauthorized',
    status: 401,
  });
  expect(await fetchReport({ baseUrl, token: AGENT_TOKEN, userUnits: ['../x'] })).toMatchObject({
    ok: false,
    code: 'refused',
    status: 400,
    message: expect.stringContaining('invalid unit name'),
  });
  expect(await fetchReport({ baseUrl: `http://127.0.0.1:${await freePort()}`, token: 'x' })).toMatchObject({
    ok: false,
    code: 'unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

const strangers: readonly [what: string, status: number, body: string, code: string][] = [
  ['another program', 404, 'nothing here', 'unexpected_status'],
  ['a page', 200, '<html>', 'invalid_report'],
  ['other JSON', 200, '{"host":1}', 'invalid_report'],
];
for (const [what, status, body, code] of strangers) {
  test(`${what} at the address is not a report`, async () => {
    await using server = await startServer(status, body);

    expect(await fetchReport({ baseUrl: server.baseUrl, token: 'x' })).toMatchObject({ ok: false, code });
  });
}

test('the token goes to no other place by a redirect', async () => {
  await using server = await startServer(302, '', { location: `${agent.baseUrl}/v1/report` });

  expect(await fetchReport({ baseUrl: server.baseUrl, token: AGENT_TOKEN })).toMatchObject({ ok: false });
});

test('a host that does not answer takes the deadline and no longer', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

  const result = await fetchReport({ baseUrl, token: 'x', deadlineMs: 100 });

  expect(result).toEqual({ ok: false, code: 'timeout', message: 'no report within 100 ms' });
  silent.closeAllConnections();
  silent.close();
});

test('fields that a newer agent adds are accepted', async () => {
  const text = await (await agent.get('/v1/report')).text();
  const newer = { ...JSON.parse(text), batteries: [{ percent: 3 }] };

  expect(parseReport(JSON.stringify(newer))).toEqual(parseReport(text));
});

const SECRET = 'S3cret-of-the-hub';
for (const [what, request] of [
  ['a token with a line break', { token: `${SECRET}\nmore` }],
  ['a token beyond ASCII', { token: `${SECRET}\u2026` }],
  ['an address with a password', { baseUrl: `http://hub:${SECRET}@127.0.0.1:9` }],
  ['an address that is none', { baseUrl: `http://${SECRET} x` }],
  ['an address of another kind', { baseUrl: `ftp://${SECRET}.example` }],
] as const) {
  test(`${what} is refused before anything is asked, and the message does not repeat it`, async () => {
    const result = await fetchReport({ baseUrl: agent.baseUrl, token: AGENT_TOKEN, ...request });

    expect(result).toMatchObject({ ok: false, code: 'invalid_request' });
    expect(JSON.stringify(result)).not.toMatch(new RegExp(SECRET, 'i'));
  });
}

/** Milliseconds of a processor: without a bound the smallest of these answers takes much longer. */
const VALIDATION_MAX_MS = 1_500;

const repeated = (row: string, count: number): string => Array(count).fill(row).join(',');
const members = (count: number): string => Array.from({ length: count }, (_, n) => `"${n}":0`).join(',');
for (const [what, sections] of [
  ['too many rows', `"errors":{},"disks":[${repeated('0', 2_000_000)}]`],
  ['many wrong rows', `"errors":{},"disks":[${repeated('{}', 99_000)}],"counters":{"net":[${repeated('{}', 99_000)}]}`],
  ['too many members', `"errors":{${members(500_000)}}`],
] as const) {
  test(`a small compressed answer with ${what} is refused at once, in a short message`, async () => {
    const body = gzipSync(`{"host":"h","time":"2026-01-01T00:00:00Z",${sections}}`);
    await using server = await startServer(200, body, { 'content-encoding': 'gzip' });
    let result: Awaited<ReturnType<typeof fetchReport>> | undefined;

    const tookMs = await processorMsUntil(async () => {
      result = await fetchReport({ baseUrl: server.baseUrl, token: 'x' });
    });

    expect(result).toMatchObject({ ok: false, code: 'invalid_report', message: expect.any(String) });
    expect(result?.ok === false && result.message.length).toBeLessThan(1_500);
    expect(tookMs).toBeLessThan(VALIDATION_MAX_MS);
  });
}

test('the report of a very large host is taken', async () => {
  const { load, active, sub, result, ...amounts } = {
    ...{ load: 'loaded', active: 'active', sub: 'running', result: 'success' },
    ...{ latestHandshake: 1_900_000_000, rxBytes: 2 ** 52, txBytes: 2 ** 52 },
  };
  const report = {
    ...{ host: 'h', time: '2026-01-01T00:00:00Z', errors: {} },
    units: Array.from({ length: 1_000 }, (_, n) => ({ unit: `${n}-${'u'.repeat(200)}.service`, bytes: 2 ** 52 })),
    knot: Array.from({ length: 10_000 }, (_, n) => ({
      ...{ name: `${n}.${'label.'.repeat(20)}example`, role: 'slave', serial: 4_294_967_295, expiresInSec: 604_800 },
    })),
    wireguard: Array.from({ length: 1_000 }, (_, n) => ({ publicKey: `${n}${'k'.repeat(44)}`, ...amounts })),
    services: Array(64).fill({ unit: 'a.service', user: '', load, active, sub, result }),
  };
  await using server = await startServer(200, JSON.stringify(report));

  expect(await fetchReport({ baseUrl: server.baseUrl, token: 'x' })).toEqual({ ok: true, report });
});
