import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { writeProgram } from '../../harness/fake-program.ts';
import { AGENT_TOKEN, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

/** An agent and a hub may wait this long for the end of the agent. */
const END_DEADLINE_MS = 10_000;

test('SIGTERM ends the agent only when an answer that a hanging command owes has come, also on a kept connection', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  mkdirSync(join(files.directory, 'sys/module/wireguard'), { recursive: true });
  // Says that it was started, and then nothing more.
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
  // Not by the harness, which sends SIGKILL after five seconds.
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
