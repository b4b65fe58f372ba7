import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { writeProgram } from '../../harness/fake-program.ts';
import { AGENT_TOKEN, agentCommand, startAgent, writeAgentFiles } from '../../harness/start-agent.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

/** An agent and a hub may wait this long for the end of the agent. */
const END_DEADLINE_MS = 10_000;

/** Longest time of an end that waits for no answer, in milliseconds. */
const QUICK_END_MS = 4_000;

const isAlive = (pid: string): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('SIGTERM ends the agent only when an answer that a hanging command owes has come, also on a kept connection', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  mkdirSync(join(files.directory, 'sys/module/wireguard'), { recursive: true });
  // This program reports that it was started, and is silent from then on.
  const started = join(files.directory, 'started');
  writeProgram(files.directory, 'wg', `echo >> ${started}; exec sleep 60`);
  const agent = startProcess({
    name: 'homeport-agent',
    command: agentCommand('run', '--config', files.configFile, '--sysfs', join(files.directory, 'sys')),
    env: { PATH: `${files.directory}:${process.env['PATH']}` },
  });
  await waitFor('the agent answers', async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, {
    process: agent,
  });
  const keptAlive = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
  const asked = request({ port, path: '/v1/report', agent: keptAlive, headers });
  const answered = once(asked.end(), 'response');
  await waitFor('the command hangs', () => existsSync(started), { process: agent });

  using waited = watchIdle();
  // The test sends the signal itself: the harness sends SIGKILL after five seconds.
  process.kill(agent.pid, 'SIGTERM');
  const [response] = await answered;
  const report = hostReport.parse(JSON.parse(await text(response)));

  expect(report.errors['wireguard']).toContain('did not end within 5 s');
  expect(report.load).toHaveLength(3);
  expect(response.headers.connection).toBe('close');
  expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
  expect(waited.read()).toBeLessThan(END_DEADLINE_MS);
  keptAlive.destroy();
});

test('silent clients, and clients that begin a request without an end, do not hold the end up', async () => {
  await using agent = await startAgent();
  const { hostname: host, port } = new URL(agent.baseUrl);
  const begun = createConnection({ host, port: Number(port) });
  const silent = createConnection({ host, port: Number(port) });
  await Promise.all([once(begun, 'connect'), once(silent, 'connect')]);
  begun.write('GET /healthz HTTP/1.1\r\nHost: agent\r\n\r\n');
  await once(begun, 'data');
  begun.write('GET /healthz HTTP/1.1\r\n');
  const ends = [begun, silent].map((connection) => once(connection.on('error', () => undefined).resume(), 'close'));

  using waited = watchIdle();
  process.kill(agent.process.pid, 'SIGTERM');

  expect(await agent.process.ended).toEqual({ exitCode: 0, signal: undefined });
  expect(waited.read()).toBeLessThan(QUICK_END_MS);
  await Promise.all(ends);
});

/** A configuration whose section for zones asks a program that hangs and writes down its process. */
function withHangingProgram(directory: string, configFile: string) {
  const written = join(directory, 'pid');
  writeProgram(directory, 'knotc', `echo $$ > ${written}.new; mv ${written}.new ${written}; exec sleep 60`);
  const { agent } = JSON.parse(readFileSync(configFile, 'utf8'));
  writeFileSync(configFile, JSON.stringify({ agent: { ...agent, knot: true } }));
  return {
    env: { PATH: `${directory}:${process.env['PATH']}` },
    pid: async () => {
      await waitFor('the program hangs', () => existsSync(written));
      return readFileSync(written, 'utf8').trim();
    },
  };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} during a report leaves no program behind that hangs`, async () => {
    using files = writeAgentFiles(1);
    const { env, pid } = withHangingProgram(files.directory, files.configFile);
    const report = startProcess({
      name: 'report',
      command: agentCommand('report', '--config', files.configFile),
      env,
    });
    const program = await pid();

    process.kill(report.pid, signal);

    expect(await report.ended).toEqual({ exitCode: undefined, signal });
    await waitFor('the program is gone', () => !isAlive(program));
  });
}

test('a second SIGTERM ends the agent at once, and the program that it waits for', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const { env, pid } = withHangingProgram(files.directory, files.configFile);
  const agent = startProcess({
    name: 'homeport-agent',
    command: agentCommand('run', '--config', files.configFile),
    env,
  });
  await waitFor('the agent answers', async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, {
    process: agent,
  });
  const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
  const asked = fetch(`http://127.0.0.1:${port}/v1/report`, { headers }).catch(() => undefined);
  const program = await pid();

  process.kill(agent.pid, 'SIGTERM');
  await waitFor('the agent ends', () => agent.output().includes('"ending"'));
  process.kill(agent.pid, 'SIGTERM');

  expect(await agent.ended).toEqual({ exitCode: 1, signal: undefined });
  await waitFor('the program is gone', () => !isAlive(program));
  await asked;
});
