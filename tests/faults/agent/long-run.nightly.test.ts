import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AGENT_TOKEN, writeAgentFiles } from '../../harness/start-agent.ts';

/** The flags of bin/homeport-agent. */
const FLAGS = [
  '--single-threaded-gc',
  '--no-concurrent-recompilation',
  '--no-concurrent-sparkplug',
  '--v8-pool-size=1',
  '--no-memory-reducer',
  '--max-semi-space-size=1',
];

const SCRAPES = 100_000;
/** One each ten seconds, by the clock of bench/agent/always-collecting.ts. */
const COLLECTIONS_OF_A_DAY = 8_640;
const CONNECTIONS = 4;
const PATHS = ['/metrics', '/v1/report', '/metrics', '/healthz'];

/** Memory of caches and V8 stays as it is by then; growth after that would fill a machine in weeks. */
const MEMORY_GROWTH_MIB = 6;
const ANSWER_DEADLINE_MS = 60_000;

interface Holdings {
  residentMiB: number;
  descriptors: number;
  threads: number;
}

test('a hundred thousand scrapes leave memory, descriptors and threads as they were after the first', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = startProcess({ name: 'homeport-agent', command: ['bin/homeport-agent', '--config', files.configFile] });
  try {
    await waitFor('the agent answers', async () => (await ask(port, '/healthz', new Agent())) === 200, {
      process: agent,
    });
    expectFlat(
      '100,000 scrapes:',
      await holdingsOver(agent, {
        port,
        settling: SCRAPES / 10,
        count: SCRAPES,
        paths: PATHS,
        connections: CONNECTIONS,
      }),
    );
  } finally {
    await agent.stop();
  }
}, 1_800_000);

test('the collections of a day leave memory, descriptors and threads as they were after the day before', async () => {
  const port = await freePort();
  const agent = startProcess({
    name: 'always-collecting',
    command: [process.execPath, ...FLAGS, 'bench/agent/always-collecting.ts', String(port), AGENT_TOKEN],
  });
  try {
    await waitFor('the agent answers', async () => (await ask(port, '/healthz', new Agent())) === 200, {
      process: agent,
    });
    expectFlat(
      'a day of collections:',
      await holdingsOver(agent, {
        port,
        settling: COLLECTIONS_OF_A_DAY,
        count: COLLECTIONS_OF_A_DAY,
        paths: ['/metrics'],
        connections: 1,
      }),
    );
  } finally {
    await agent.stop();
  }
}, 1_800_000);

function holdingsOf({ pid }: ManagedProcess): Holdings {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    residentMiB: numberOf('VmRSS') / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberOf('Threads'),
  };
}

function ask(port: number, path: string, agent: Agent): Promise<number> {
  const answer = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
  get({ host: '127.0.0.1', port, path, agent, headers, timeout: ANSWER_DEADLINE_MS }, (response) => {
    response.resume().once('end', () => answer.resolve(response.statusCode ?? 0));
  }).once('error', answer.reject);
  return answer.promise;
}

/** Asks that often; what the process holds once it has settled, and in the end. */
async function holdingsOver(
  process: ManagedProcess,
  {
    port,
    settling,
    count,
    paths,
    connections,
  }: { port: number; settling: number; count: number; paths: readonly string[]; connections: number },
): Promise<[Holdings, Holdings]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const refused = new Set<number>();
  const run = async (times: number): Promise<void> => {
    let left = times;
    const askOn = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const status = await ask(port, paths[left % paths.length] ?? '', agent);
        if (status !== 200) refused.add(status);
      }
    };
    await Promise.all(Array.from({ length: connections }, askOn));
  };
  try {
    await run(settling);
    const early = holdingsOf(process);
    await run(count);
    expect(refused).toEqual(new Set());
    return [early, holdingsOf(process)];
  } finally {
    agent.destroy();
  }
}

function expectFlat(what: string, [early, late]: [Holdings, Holdings]): void {
  console.log(what, { early, late });
  // Files of /proc that a collection has open, and connections, come and go.
  expect(Math.abs(late.descriptors - early.descriptors)).toBeLessThanOrEqual(CONNECTIONS);
  expect(late.threads).toBe(early.threads);
  expect(late.residentMiB - early.residentMiB).toBeLessThan(MEMORY_GROWTH_MIB);
}
