import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AGENT_TOKEN, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';

const get = (socketPath: string, path: string, headers = {}) =>
  new Promise<string>((resolve, reject) => {
    // A connection of its own for each request.
    request({ socketPath, path, headers, agent: false }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
  });

test('the agent listens at a Unix socket in place of a port, also after it was killed there', async () => {
  using files = writeAgentFiles(1);
  const unix = join(files.directory, 'socket');
  const { configFile, tokenFile } = files;
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, listen: { unix } } }));

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const agent = startProcess({ name: 'homeport-agent', command: agentCommand('run', '--config', configFile) });

    expect(await waitFor('the agent answers', () => get(unix, '/healthz'), { process: agent })).toBe('{"status":"ok"}');
    expect(await get(unix, '/metrics')).toBe('{"error":"unauthorized"}');

    agent.kill(signal);
    await agent.ended;
  }
  await expect(get(unix, '/healthz')).rejects.toThrow('ENOENT');
});

test('a local account that holds every connection of the socket keeps out no client with the token', async () => {
  using files = writeAgentFiles(1);
  const unix = join(files.directory, 'socket');
  const { configFile, tokenFile } = files;
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, listen: { unix } } }));
  const agent = startProcess({ name: 'homeport-agent', command: agentCommand('run', '--config', configFile) });
  try {
    await waitFor('the agent answers', () => get(unix, '/healthz'), { process: agent });
    const greedy = Array.from({ length: 160 }, () => connect(unix).on('error', () => undefined));
    await waitFor('those beyond all are closed', () => greedy.filter(({ destroyed }) => destroyed).length >= 32);

    const report = JSON.parse(await get(unix, '/v1/report', { authorization: `Bearer ${AGENT_TOKEN}` }));
    expect(report).toMatchObject({ load: expect.any(Array) });
    for (const socket of greedy) socket.destroy();
  } finally {
    await agent.stop();
  }
});

test('the process for units of a user says that systemd has to start it', async () => {
  const helper = startProcess({ name: 'user-units', command: agentCommand('user-units') });

  expect((await helper.ended).exitCode).toBe(1);
  expect(helper.output()).toBe(
    'homeport-agent: user-units: expected a socket from a socket unit of systemd: see systemd.socket(5)\n',
  );
});
