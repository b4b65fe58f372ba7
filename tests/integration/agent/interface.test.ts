import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { agent, test } from '../../harness/fixtures/shared-agent.ts';
import { AGENT_TOKEN, startAgent } from '../../harness/start-agent.ts';

/** Sends bytes as they are and returns everything that comes back until the connection ends. */
async function sendRaw(request: string): Promise<string> {
  const socket = connect(Number(new URL(agent.baseUrl).port), '127.0.0.1');
  socket.setTimeout(120_000, () => socket.destroy());
  socket.write(request);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

const authorization = `Authorization: Bearer ${AGENT_TOKEN}\r\n`;
const rawGet = (path: string, headers: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: agent\r\nConnection: close\r\n${headers}\r\n`;

test('a hundred requests to a cold agent are answered from one collection', async () => {
  await using cold = await startAgent();

  const reports = await Promise.all(
    Array.from({ length: 100 }, async () => hostReport.parse(await (await cold.get('/v1/report')).json())),
  );

  expect(new Set(reports.map(({ time }) => time)).size).toBe(1);
});

test('the report is what its schema says, without errors on this machine', async () => {
  const response = await agent.get('/v1/report');

  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  const body = await response.json();
  expect(hostReport.parse(body)).toEqual(body);
  expect(body).toMatchObject({ errors: {}, load: expect.any(Array), disks: expect.any(Array) });
});

test('the metrics are in the text format and end with a newline', async () => {
  verifies('agent.endpoint.metrics');
  const response = await agent.get('/metrics');

  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toMatch(/^# HELP .*\n[\s\S]*\nnode_time_seconds [0-9.]+\n$/);
});

test('the clock in the metrics is that of the answer, the rest that of the collection', async () => {
  const read = async (): Promise<string[]> => (await (await agent.get('/metrics')).text()).split('\n');
  const [first, second] = [await read(), await read()];

  const changed = second.filter((line, index) => line !== first[index]);

  expect(changed).toEqual([expect.stringMatching(/^node_time_seconds /)]);
});

for (const path of ['/metrics', '/v1/report']) {
  test(`${path} is compressed for those who accept it, in one piece any client can open`, async () => {
    const answer = await sendRaw(rawGet(path, `${authorization}Accept-Encoding: gzip\r\n`));

    expect(answer).toMatch(/\r\ncontent-encoding: gzip\r\n/);
    const response = await agent.get(path, {
      headers: { authorization: `Bearer ${AGENT_TOKEN}`, 'accept-encoding': 'gzip' },
    });
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect((await response.text()).length).toBeGreaterThan(500);
  });
}

test('health needs no token and no collection', async () => {
  verifies('agent.endpoint.healthz', 'agent.authentication.2');
  const response = await fetch(`${agent.baseUrl}/healthz`);

  expect(response.status).toBe(200);
  expect(await response.text()).toBe('{"status":"ok"}');
});

const refusedHeaders: readonly [why: string, headers: string][] = [
  ['no token', ''],
  ['an empty header', 'Authorization:\r\n'],
  ['a wrong token', 'Authorization: Bearer wrong\r\n'],
  ['a part of the token', `Authorization: Bearer ${AGENT_TOKEN.slice(0, -1)}\r\n`],
  ['more than the token', `Authorization: Bearer ${AGENT_TOKEN}=\r\n`],
  ['the token in capitals', `Authorization: Bearer ${AGENT_TOKEN.toUpperCase()}\r\n`],
  ['the bare token', `Authorization: ${AGENT_TOKEN}\r\n`],
  ['another scheme', `Authorization: Basic ${AGENT_TOKEN}\r\n`],
  ['two headers', authorization + authorization],
  ['a wrong header before the right one', `Authorization: Bearer wrong\r\n${authorization}`],
];
for (const [why, headers] of refusedHeaders) {
  for (const path of ['/v1/report', '/metrics', '/v1/report?unit=x']) {
    test(`${path} with ${why} is refused with the same answer`, async () => {
      verifies('agent.authentication.1');
      const answer = await sendRaw(rawGet(path, headers));

      expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
      expect(answer).toMatch(/\r\nwww-authenticate: Bearer\r\n/);
      expect(answer).toMatch(/\r\n\r\n\{"error":"unauthorized"\}$/);
    });
  }
}

for (const header of [`bearer ${AGENT_TOKEN}`, `BEARER ${AGENT_TOKEN}`, `Bearer  ${AGENT_TOKEN} `]) {
  test(`the header ${JSON.stringify(header.replace(AGENT_TOKEN, 'TOKEN'))} is accepted`, async () => {
    expect(await sendRaw(rawGet('/metrics', `Authorization: ${header}\r\n`))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
}

test('a token in the address does not count', async () => {
  const response = await fetch(`${agent.baseUrl}/metrics?token=${encodeURIComponent(AGENT_TOKEN)}`);

  expect(response.status).toBe(401);
});

for (const path of ['/', '/metrics/', '/v1', '/v1/reports', '/METRICS', '//metrics', '/%6detrics']) {
  test(`${path} is not found`, async () => {
    const response = await agent.get(path);

    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: 'not found' });
  });
}

for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
  test(`${method} is not allowed anywhere, and the answer says what is`, async () => {
    for (const path of ['/v1/report', '/metrics', '/healthz']) {
      const response = await agent.get(path, { method, headers: { authorization: `Bearer ${AGENT_TOKEN}` } });

      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect(await response.json()).toEqual({ error: 'method not allowed' });
    }
  });
}

test('HEAD answers like GET without the body', async () => {
  for (const path of ['/v1/report', '/metrics', '/healthz']) {
    const head = await sendRaw(rawGet(path, authorization).replace('GET', 'HEAD'));
    const get = await sendRaw(rawGet(path, authorization));

    const headersOf = (answer: string): string[] =>
      (answer.split('\r\n\r\n')[0] ?? '').split('\r\n').filter((line) => !/^(date|content-length):/i.test(line));
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(head).toMatch(/\r\ncontent-length: \d+\r\n/);
    expect(head.endsWith('\r\n\r\n')).toBe(true);
  }
  expect(await sendRaw(rawGet('/metrics', '').replace('GET', 'HEAD'))).toMatch(/^HTTP\/1\.1 401 /);
});

test('a proxy may send the whole address', async () => {
  expect(await sendRaw(rawGet('http://agent:9105/metrics', authorization))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('requested units are answered in their order, also unknown ones, and the same one twice', async () => {
  verifies('agent.endpoint.v1-report', 'agent.point.user-in-services');
  const query = `unit=homeport-nosuch.service&userUnit=homeport-nosuch.timer${'&unit=homeport-nosuch.service'.repeat(62)}`;

  const response = await agent.get(`/v1/report?${query}`);

  expect(response.status).toBe(200);
  const { services = [], errors, load } = hostReport.parse(await response.json());
  expect(load).toBeDefined();
  const own = userInfo().username;
  expect(services.map(({ unit, user }) => [unit, user])).toEqual([
    ['homeport-nosuch.service', ''],
    ['homeport-nosuch.timer', own],
    ...Array(62).fill(['homeport-nosuch.service', '']),
  ]);
  // Each is a fact, or a reason explains why it is not; which of them depends on the machine.
  expect(services.every(({ load }) => load === 'not-found' || errors.services !== undefined)).toBe(true);
  expect((await agent.get('/v1/report')).headers.get('content-type')).toBe('application/json');
  expect(hostReport.parse(await (await agent.get('/v1/report')).json()).services).toBeUndefined();
});

test('64 names are answered also when each is as long as a name can be, in its longest spelling', async () => {
  const name = `${'\\'.repeat(247)}.service`;
  const query = Array<string>(64)
    .fill(`userUnit=${encodeURIComponent(name)}`)
    .join('&');

  const response = await agent.get(`/v1/report?${query}`);

  expect(response.status).toBe(200);
  const { services = [] } = hostReport.parse(await response.json());
  expect(services.map(({ unit }) => unit)).toEqual(Array(64).fill(name));
});

test('a bad unit name is refused with the name, too many with the limit, and metrics ask for none', async () => {
  verifies('agent.error.400', 'agent.limit.unit-names-per-request');
  const bad = await agent.get('/v1/report?unit=a.service&userUnit=../../etc');
  expect(bad.status).toBe(400);
  expect(await bad.json()).toEqual({ error: 'invalid unit name', unit: '../../etc' });

  const many = await agent.get(`/v1/report?${'unit=a.service&'.repeat(65)}`);
  expect(many.status).toBe(400);
  expect(await many.json()).toEqual({ error: 'too many unit names', limit: 64 });

  expect((await agent.get('/metrics?unit=*')).status).toBe(200);
});

test('a request with a body is not read and ends the connection', async () => {
  const answer = await sendRaw(
    `GET /healthz HTTP/1.1\r\nHost: agent\r\nContent-Length: 5\r\n\r\nhelloGET /healthz HTTP/1.1\r\nHost: agent\r\n\r\n`,
  );

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nconnection: close\r\n/);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('endless headers are refused', async () => {
  expect(await sendRaw(rawGet('/healthz', `X: ${'x'.repeat(70_000)}\r\n`))).toMatch(/^HTTP\/1\.1 431 /);
});

test('the token never reaches the log', () => {
  expect(agent.process.output()).toContain('refused: missing or wrong token');
  expect(agent.process.output()).not.toContain(AGENT_TOKEN.slice(0, 10));
});

test('gzip holds what the plain answer holds', async () => {
  const answer = await fetch(`${agent.baseUrl}/v1/report`, {
    headers: { authorization: `Bearer ${AGENT_TOKEN}`, 'accept-encoding': 'identity' },
  });
  const plain = await answer.text();
  const { port } = new URL(agent.baseUrl);
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(rawGet('/v1/report', `${authorization}Accept-Encoding: gzip\r\n`));
  for await (const chunk of socket) chunks.push(chunk);
  const raw = Buffer.concat(chunks);

  expect(gunzipSync(raw.subarray(raw.indexOf('\r\n\r\n') + 4)).toString()).toBe(plain);
});
