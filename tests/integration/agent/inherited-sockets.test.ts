import { mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { writeProgram } from '../../harness/fake-program.ts';
import { AGENT_TOKEN, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';

test('commands get none of the sockets that systemd passes to the agent', async () => {
  const ports = [await freePort(), await freePort()] as const;
  using files = writeAgentFiles(ports[0]);
  mkdirSync(join(files.directory, 'sys/module/wireguard'), { recursive: true });
  const listed = join(files.directory, 'listed');
  writeProgram(
    files.directory,
    'wg',
    `ls -l /proc/$$/fd > ${listed}.$3; echo LISTEN_FDS=$LISTEN_FDS LISTEN_PID=$LISTEN_PID >> ${listed}.$3`,
  );
  const agent = startProcess({
    name: 'homeport-agent',
    command: [
      process.execPath,
      'tests/integration/agent/with-inherited-sockets.ts',
      ports.join(),
      ...agentCommand('run', '--config', files.configFile, '--sysfs', join(files.directory, 'sys')),
    ],
    env: { PATH: `${files.directory}:${process.env['PATH']}` },
  });
  const get = (port: number, path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${AGENT_TOKEN}` } });
  for (const port of ports) {
    await waitFor(`the agent answers at ${port}`, async () => (await get(port, '/healthz')).ok, { process: agent });
  }

  expect((await get(ports[1], '/v1/report')).status).toBe(200);

  const passed = [3, 4].map((descriptor) => readlinkSync(`/proc/${agent.pid}/fd/${descriptor}`));
  expect(passed).toEqual([expect.stringMatching(/^socket:/), expect.stringMatching(/^socket:/)]);
  const seen = readFileSync(`${listed}.transfer`, 'utf8');
  expect(seen).toContain('2 -> socket:');
  for (const socket of passed) expect(seen).not.toContain(socket);
  expect(seen).toContain('\nLISTEN_FDS= LISTEN_PID=\n');
  await agent.stop();
});
