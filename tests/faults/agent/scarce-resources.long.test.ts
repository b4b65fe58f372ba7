import { once } from 'node:events';
import { readFileSync, truncateSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type AgentTree, copyAgentTree } from '../../harness/agent-tree.ts';
import { AGENT_TOKEN, type RunningAgent, runAgent, startAgent } from '../../harness/start-agent.ts';

/** Size of the heap in MiB: any unbounded collection ends the process. */
const HEAP_MIB = 64;

/** Bound on the agent's resident memory; a fresh one has some 60. */
const PEAK_MAX_MIB = 256;

/** Longest time that a busy machine may take to be done with hundreds of clients, in milliseconds. */
const FLOOD_DEADLINE_MS = 90_000;

/**
 * Most memory with a heap that may grow, in MiB: a few megabytes for each connection it takes at a time, from which
 * Node reads 64 KiB in one go.
 */
const FLOODED_MAX_MIB = 640;

test('sources and programs without end cost an error each, and little memory', async () => {
  await using tree = await copyAgentTree();
  const sources = [
    'stat',
    'meminfo',
    'vmstat',
    'diskstats',
    'loadavg',
    'uptime',
    'net/dev',
    'pressure/io',
    '1/mountinfo',
  ];
  for (const file of [...sources.map((source) => `proc/${source}`), 'etc/os-release']) {
    // A gigabyte of holes takes no room on the disk.
    truncateSync(join(tree.root, file), 2 ** 30);
  }
  tree.program('wg', `exec yes 'wg0 key 1 2'`);
  tree.program('postqueue', `exec yes '{"queue_name": "deferred", "arrival_time": 1700000000, "queue_id": "A"}'`);
  tree.program('knotc', `exec yes '[example.com.] role: master | serial: 1'`);
  await using agent = await startSmall(tree, { postfix: true, knot: true });

  const errors = await errorsOf(agent);

  for (const section of ['uptimeSec', 'load', 'cpus', 'memory', 'disks', 'counters', 'os']) {
    expect(errors[section]).toMatch(/: larger than \d+ bytes/);
  }
  for (const section of ['wireguard', 'postfix', 'knot']) {
    // On a busy machine its time is over before its room.
    expect(errors[section]).toMatch(
      / (printed more than \d+ bytes and was ended|did not end within 5 s and was killed)(: the queue has more than the \d+ messages counted by then)?$/,
    );
  }
  expect(peakMiB(agent)).toBeLessThan(PEAK_MAX_MIB);
});

for (const [source, line, section] of [
  ['stat', (index: number) => `cpu${index} 100 200 300 400 500 600 700 800 900 1000`, 'cpus'],
  [
    '1/mountinfo',
    (index: number) => `${index + 2} 1 8:${index} / /data/${index} rw - ext4 /dev/sd${index} rw`,
    'disks',
  ],
] as const) {
  test(`a /proc/${source} of more good lines than any machine has is an error, and little memory`, async () => {
    await using tree = await copyAgentTree();
    tree.write(`proc/${source}`, `${Array.from({ length: 400_000 }, (_, index) => line(index)).join('\n')}\n`);
    await using agent = await startSmall(tree);

    expect((await errorsOf(agent))[section]).toContain('could not understand');
    expect(peakMiB(agent)).toBeLessThan(PEAK_MAX_MIB);
  });
}

const asking = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: agent\r\nAuthorization: Bearer ${AGENT_TOKEN}\r\n\r\n`;

/** A client that sends this and never reads. */
function deafClient({ baseUrl }: RunningAgent, sent: string): Socket {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write(sent);
  return socket;
}

/** Counts the clients that are connected, as the kernel sees it from the agent's side. @see proc_net_tcp(5) */
function countConnected({ baseUrl }: RunningAgent, clients: readonly Socket[]): number {
  const hex = (port: number | undefined): string => (port ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const established = readFileSync('/proc/net/tcp', 'utf8').matchAll(/^ *\d+: \w+:(\w{4}) \w+:(\w{4}) 01 /gm);
  const peers = [...established]
    .filter(([, own]) => own === hex(Number(new URL(baseUrl).port)))
    .map(([, , peer]) => peer);
  return clients.filter(({ localPort }) => peers.includes(hex(localPort))).length;
}

const connected = (client: Socket): Promise<unknown> => once(client, 'connect');

test('a hundred clients that keep asking and do not read cost little memory', async () => {
  await using tree = await copyAgentTree();
  await using agent = await startSmall(tree);

  const clients = Array.from({ length: 100 }, () => deafClient(agent, asking('/metrics').repeat(30)));
  try {
    await Promise.all(clients.map(connected));
    await waitFor('none of them is served any more', () => countConnected(agent, clients) === 0, {
      process: agent.process,
    });
    await waitFor('others are', async () => (await agent.get('/metrics')).ok, { process: agent.process });
    expect(peakMiB(agent)).toBeLessThan(PEAK_MAX_MIB);
  } finally {
    for (const client of clients) client.destroy();
  }
});

test('hundreds of clients that ask a thousand things in one go cost a bounded memory, and others are served', async () => {
  await using agent = await startAgent();
  const waiting = { process: agent.process, timeoutMs: FLOOD_DEADLINE_MS };

  const clients = Array.from({ length: 256 }, () => deafClient(agent, asking('/metrics').repeat(1_000)));
  try {
    await Promise.all(clients.map(connected));
    await waitFor('none of them is served any more', () => countConnected(agent, clients) === 0, waiting);
    await waitFor('others are', async () => (await agent.get('/metrics')).ok, waiting);
    expect(peakMiB(agent)).toBeLessThan(FLOODED_MAX_MIB);
  } finally {
    for (const client of clients) client.destroy();
  }
});

test('a client that does not read an answer loses the connection, but not before the time an answer may take', async () => {
  await using tree = await copyAgentTree();
  // With so many interfaces a handful of answers is more than the kernel keeps for a connection.
  const lines = Array.from({ length: 4_000 }, (_, index) => `interface${index}: ${'123456789 '.repeat(16)}`);
  tree.write('proc/net/dev', `\n\n${lines.join('\n')}\n`);
  await using agent = await startSmall(tree);

  const client = deafClient(agent, asking('/metrics').repeat(8));
  try {
    await connected(client);
    const start = performance.now();
    await waitFor('it is not connected any more', () => countConnected(agent, [client]) === 0, {
      process: agent.process,
      timeoutMs: 40_000,
    });
    expect(performance.now() - start).toBeGreaterThan(10_000);
  } finally {
    client.destroy();
  }
});

test('without file descriptors sections are errors, and are reported again once there are some', async () => {
  await using agent = await startAgent();
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
      request(`${agent.baseUrl}${path}`, { agent: connection, headers }, (response) => {
        text(response).then(resolve, reject);
      })
        .once('error', reject)
        .end();
    });
  const limitDescriptors = (count: number) =>
    execa('prlimit', ['--pid', String(agent.process.pid), `--nofile=${count}:`], { timeout: 120_000 });
  await ask('/healthz');

  await limitDescriptors(4);
  const { errors } = hostReport.parse(JSON.parse(await ask('/v1/report')));
  const metrics = await ask('/metrics');
  await limitDescriptors(1_024);

  for (const section of ['uptimeSec', 'load', 'cpus', 'memory', 'disks', 'counters']) {
    expect(errors[section]).toContain('too many open files');
  }
  expect(metrics).toContain('monitor_agent_collect_errors_total{collector="load"} 1\n');
  await waitFor(
    'the sections are told again',
    async () => hostReport.parse(JSON.parse(await ask('/v1/report'))).errors['load'] === undefined,
    { process: agent.process, timeoutMs: 20_000 },
  );
  connection.destroy();
});

/** Starts the agent with a small heap on a copied tree. */
function startSmall({ root, programs }: AgentTree, agent: object = {}): Promise<RunningAgent> {
  return runAgent({
    options: [`--procfs=${root}/proc`, `--sysfs=${root}/sys`, `--rootfs=${root}`],
    agent,
    env: { PATH: `${programs}:${process.env['PATH']}`, NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
  });
}

/** Returns the agent's highest memory so far, in MiB. */
function peakMiB({ process: { pid } }: RunningAgent): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function errorsOf(agent: RunningAgent): Promise<Record<string, string>> {
  const response = await agent.get('/v1/report');
  expect(response.status).toBe(200);
  return hostReport.parse(await response.json()).errors;
}
