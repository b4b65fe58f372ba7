import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { pause } from '../../../../src/connector/pause.ts';
import { repeat } from '../../../../src/connector/upkeep/repeat.ts';
import { listeningLog } from '../../../harness/listening-log.ts';

const { log } = listeningLog();

test('passes follow one another, never two at once, until it is closed', async () => {
  let running = 0;
  let most = 0;
  let passes = 0;
  const repeated = repeat({ failure: 'nothing works', everyMs: 1, log }, async (signal) => {
    running += 1;
    most = Math.max(most, running);
    await pause(5, signal);
    passes += 1;
    running -= 1;
  });

  await waitFor('three passes', () => passes >= 3);
  await repeated.close();

  expect([most, running]).toEqual([1, 0]);
  const atTheEnd = passes;
  await pause(20, new AbortController().signal);
  expect(passes).toBe(atTheEnd);
});

test('closing waits for the pass under way, which learns it by the signal', async () => {
  const steps: string[] = [];
  let began = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const repeated = repeat({ failure: 'nothing works', everyMs: 1, log }, async (signal) => {
    began();
    steps.push(`goes on: ${await pause(60_000, signal)}`);
    await Promise.resolve();
    steps.push('ended');
  });

  await begun;
  await repeated.close();

  expect(steps).toEqual(['goes on: false', 'ended']);
});

test('a failure is logged once for each reason, also when the reason comes again after a success', async () => {
  const reasons = ['disk full', 'disk full', 'disk gone', undefined, 'disk gone', 'disk gone'];
  const { log: listening, messages } = listeningLog();
  let passes = 0;
  const repeated = repeat({ failure: 'nothing works', everyMs: 1, log: listening }, async () => {
    const reason = reasons[passes];
    passes += 1;
    if (reason !== undefined) throw new Error(reason);
  });

  await waitFor('all passes', () => passes > reasons.length);
  await repeated.close();

  expect(messages).toEqual(Array.from({ length: 3 }, () => 'nothing works; trying again'));
});

test('a pass that fails and wakes itself is not repeated before other work had its turn', async () => {
  let passes = 0;
  const repeated = repeat({ failure: 'nothing works', everyMs: 60_000, log }, async () => {
    await Promise.resolve();
    passes += 1;
    // Ends what would otherwise keep this process for ever.
    if (passes > 100) return;
    repeated.wake();
    throw new Error('the database is away');
  });

  await waitFor('it is repeated', () => passes > 1);

  expect(passes).toBeLessThan(10);
  await repeated.close();
});
