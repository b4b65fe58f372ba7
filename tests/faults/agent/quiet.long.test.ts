import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AGENT_TOKEN, writeAgentFiles } from '../../harness/start-agent.ts';

/** Work that is postponed after a start and an answer is over by then. */
const SETTLED_MS = 7_000;

const SILENCE_MS = 12_000;

/** A timer each second would be twelve. */
const WAKE_UPS_MAX = 4;

/** A pipe and the agent hold some hundred kilobytes for a reader that stalls; a refused request logs a line of 150. */
const STALLED_SCRAPES = 40;

test('the built agent sleeps while no client asks', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = startProcess({
    name: 'homeport-agent',
    command: ['bin/homeport-agent', 'run', '--config', files.configFile],
  });
  try {
    await waitFor('the agent answers', () => answers(port), { process: agent });
    await delay(SETTLED_MS);
    const before = sleepsOf(agent.pid);
    await delay(SILENCE_MS);

    expect(sleepsOf(agent.pid) - before).toBeLessThanOrEqual(WAKE_UPS_MAX);
  } finally {
    await agent.stop();
  }
});

test('the built agent answers and ends while its log is not read', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  // Bash writes a pipe full that sleep never reads, and then is the agent, whose standard error it is.
  const script = 'exec 2> >(exec sleep 60); head -c 1000000 /dev/zero | timeout 1 cat >&2; exec "$@"';
  const agent = spawn('bash', ['-c', script, 'bash', 'bin/homeport-agent', 'run', '--config', files.configFile], {
    stdio: 'ignore',
  });
  const ended = once(agent, 'exit');
  try {
    await waitFor('the agent answers', () => answers(port));
    for (let index = 0; index < STALLED_SCRAPES; index += 1) {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: 'Bearer wrong' } });
      expect(response.status).toBe(401);
    }
    expect(await answers(port)).toBe(true);
    agent.kill('SIGTERM');

    expect(await ended).toEqual([0, null]);
  } finally {
    agent.kill('SIGKILL');
  }
});

/** Returns how often any thread of a process has gone to sleep by itself. */
function sleepsOf(pid: number): number {
  const counts = readdirSync(`/proc/${pid}/task`).map((task) => {
    const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

async function answers(port: number): Promise<boolean> {
  const headers = { authorization: `Bearer ${AGENT_TOKEN}`, connection: 'close' };
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers, signal: AbortSignal.timeout(30_000) })).ok;
}
