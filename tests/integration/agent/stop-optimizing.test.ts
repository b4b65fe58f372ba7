import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AGENT_TOKEN, writeAgentFiles } from '../../harness/start-agent.ts';

/** An hour of scrapes, one every 15 s. */
const ANSWERS = 240;

/** V8 compiles a function at its next call after it has chosen it: those chosen before the first answer are called meanwhile. */
const FIRST_ANSWERS = 20;

test('V8 does not optimize an agent in an hour of scrapes', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const logFile = join(files.directory, 'output');
  // V8 names each function that it optimizes.
  const node = [process.execPath, '--trace-opt'] as const;
  const command = [...node, 'src/agent/main.ts', 'run', '--config', files.configFile] as const;
  const agent = startProcess({ name: 'homeport-agent', command, logFile });
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const countOptimized = (): number => readFileSync(logFile, 'utf8').split('[compiling method').length - 1;
  try {
    const isThere = () =>
      scrape(port, connection).then(
        () => true,
        () => false,
      );
    await waitFor('the agent answers', isThere, { process: agent });
    for (let answer = 0; answer < FIRST_ANSWERS; answer += 1) await scrape(port, connection);
    const before = countOptimized();

    for (let answer = 0; answer < ANSWERS; answer += 1) await scrape(port, connection);

    expect(countOptimized() - before).toBe(0);
  } finally {
    connection.destroy();
    await agent.stop();
  }
});

function scrape(port: number, connection: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
    get({ host: '127.0.0.1', port, path: '/metrics', agent: connection, headers }, (response) => {
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}
