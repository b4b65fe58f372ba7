import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { fetchReport, parseReport } from 'homeport/report';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { AGENT_TOKEN, type RunningAgent, startAgent } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

let agent: RunningAgent;
beforeAll(async () => {
  agent = await startAgent();
});
afterAll(() => agent[Symbol.asyncDispose]());

/** A server that answers every request with this. */
async function startServer(status: number, body: string, headers: Record<string, string> = {}) {
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

test('a wrong token, a bad unit name and a missing agent are told apart', async () => {
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
  test(`${what} at the address is no report`, async () => {
    await using server = await startServer(status, body);

    expect(await fetchReport({ baseUrl: server.baseUrl, token: 'x' })).toMatchObject({ ok: false, code });
  });
}

test('the token goes to no other place by a redirect', async () => {
  await using server = await startServer(302, '', { location: `${agent.baseUrl}/v1/report` });

  expect(await fetchReport({ baseUrl: server.baseUrl, token: AGENT_TOKEN })).toMatchObject({ ok: false });
});

test('a host that does not answer costs the deadline and no more', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

  const result = await fetchReport({ baseUrl, token: 'x', deadlineMs: 100 });

  expect(result).toEqual({ ok: false, code: 'timeout', message: 'no report within 100 ms' });
  silent.closeAllConnections();
  silent.close();
});

test('what a newer agent adds is no fault', async () => {
  const text = await (await agent.get('/v1/report')).text();
  const newer = { ...JSON.parse(text), batteries: [{ percent: 3 }] };

  expect(parseReport(JSON.stringify(newer))).toEqual(parseReport(text));
});

test('the published package works in plain Node and has types', async () => {
  await using folder = await tempFolder();
  const modules = join(folder.path, 'node_modules');
  mkdirSync(modules);
  const packed = await execa('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder.path]);
  await execa('tar', ['-xzf', join(folder.path, packed.stdout.trim()), '-C', modules]);
  await execa('mv', [join(modules, 'package'), join(modules, 'homeport')]);
  for (const name of ['zod', '@types']) symlinkSync(resolve('node_modules', name), join(modules, name));
  const program = `import { fetchReport, type HostReport } from 'homeport/report';
const result = await fetchReport({ baseUrl: '${agent.baseUrl}', token: '${AGENT_TOKEN}' });
const load: HostReport['load'] = result.ok ? result.report.load : undefined;
console.log(result.ok, load?.length);
`;
  writeFileSync(join(folder.path, 'hub.mts'), program);

  const run = await execa(process.execPath, ['hub.mts'], { cwd: folder.path, reject: false });
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const check = await execa('tsc', [...options, 'hub.mts'], {
    cwd: folder.path,
    preferLocal: true,
    localDir: '.',
    reject: false,
  });

  expect(`${run.stdout}${run.stderr}`).toBe('true 3');
  expect(check.stdout).toBe('');
});
