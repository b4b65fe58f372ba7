import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { residentKiB } from '../../tests/harness/resident-memory.ts';
import type { BenchResult } from './result.ts';
import type { BenchRun } from './run.ts';
import { type BenchStack, startBenchStack } from './stack.ts';

const ACCOUNTS = 1_000;
/** Each channel has this many accounts: a thousand in one would make every member list a thousand long. */
const ACCOUNTS_PER_CHANNEL = 10;
const ONLINE_DEADLINE_MS = 600_000;
/** Idle time in which both runtimes give back what they no longer need. */
const SETTLE_MS = 60_000;
const SAMPLE_MS = 2_000;

/**
 * Measures the resident memory per online account of the connector and of soju, without that of each without accounts.
 */
export async function benchMemory({ folder, scale, checkout }: BenchRun): Promise<BenchResult[]> {
  const accounts = Math.round(ACCOUNTS * scale);
  const none = await memoryAt({ folder: join(folder, 'none'), checkout }, 0);
  const many = await memoryAt({ folder: join(folder, 'many'), checkout }, accounts);
  const perAccount = (part: 'connector' | 'soju'): number => (many[part] - none[part]) / accounts;
  return [
    {
      what: `memory per idle account of ${accounts}`,
      unit: 'KiB',
      connector: perAccount('connector'),
      peer: perAccount('soju'),
      goal: '<= 0.5',
    },
  ];
}

async function memoryAt(
  place: Pick<BenchRun, 'folder' | 'checkout'>,
  accounts: number,
): Promise<{ connector: number; soju: number }> {
  await using stack = await startBenchStack({
    ...place,
    accounts: Array.from({ length: Math.max(1, accounts) }, (_, index) => ({
      login: `person${index}`,
      channels: [`#room${Math.floor(index / ACCOUNTS_PER_CHANNEL)}`],
      isOnline: accounts > 0,
    })),
  });
  const { pid } = await stack.startConnector();
  const online = () => stack.metric('homeport_connector_sessions_online');
  await waitFor(`${accounts} accounts are online`, async () => (await online()) === accounts, {
    timeoutMs: ONLINE_DEADLINE_MS,
  });
  return await settled(stack, pid);
}

/** The lowest of some samples, because free memory is returned late and in steps. */
async function settled(stack: BenchStack, pid: number): Promise<{ connector: number; soju: number }> {
  const least = { connector: Number.POSITIVE_INFINITY, soju: Number.POSITIVE_INFINITY };
  for (let waited = 0; waited < SETTLE_MS; waited += SAMPLE_MS) {
    await delay(SAMPLE_MS);
    least.connector = Math.min(least.connector, residentKiB(pid));
    least.soju = Math.min(least.soju, residentKiB(stack.soju.process.pid));
  }
  return least;
}
