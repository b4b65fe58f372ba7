import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Callbacks, DeliveryOutcome } from '../../../../src/connector/ports/callbacks.ts';
import type { DeliveryStore, DueDelivery } from '../../../../src/connector/ports/delivery-store.ts';
import { createInvalidations } from '../../../../src/connector/store/shared-invalidations.ts';
import { startDeliveries } from '../../../../src/connector/upkeep/delivering.ts';
import type { Repeated } from '../../../../src/connector/upkeep/repeat.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { watchIdle } from '../../../harness/watch-idle.ts';

const FAR_MS = 3_600_000;

test('a queued delivery is sent at once when it is published, without waiting for the poll', async () => {
  using waited = watchIdle();
  const { worker, add, wake, ended } = startWorker(async () => ({ kind: 'accepted' }));
  for (const id of ['one', 'two', 'three']) {
    add(id);
    wake();
    await waitFor(`${id} is delivered`, () => ended[id] === 'accepted');
  }

  expect(waited.read()).toBeLessThan(4_000);
  await worker.close();
});

test('however many subscriptions hang, at most 128 deliveries are under way', async () => {
  let underWay = 0;
  const { outcome, release } = hanging();
  const { worker, add, wake } = startWorker(() => {
    underWay += 1;
    return outcome;
  });
  for (let n = 0; n < 300; n += 1) add(`stuck ${n}`, `sub ${n}`);
  wake();

  await waitFor('the places are taken', () => underWay === 128);
  wake();
  await close(worker, release);

  expect(underWay).toBe(128);
});

test('a failed attempt is made again later, at most five times, and the wait grows', async () => {
  const { worker, add, wake, retries, ended, queue } = startWorker(async () => ({
    kind: 'failed',
    failure: 'http_5xx',
  }));
  add('failing');
  for (let attempt = 1; attempt < 5; attempt += 1) {
    wake();
    await waitFor(`attempt ${attempt}`, () => retries.length === attempt);
    Object.assign(queue.get('failing') ?? {}, { dueAt: 0 });
  }
  wake();
  await waitFor('it has ended', () => ended['failing'] === 'http_5xx');

  const waits = retries.map(({ waitMs }) => Math.round(waitMs / 1_000));
  const least = [5, 25, 90, 360];
  expect(waits).toHaveLength(least.length);
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual((least[index] ?? 0) - 1);
    expect(wait).toBeLessThanOrEqual((least[index] ?? 0) * 1.2 + 1);
  }
  await worker.close();
});

test('a receiver is left alone as long as it asks, but not for more than fifteen minutes', async () => {
  const { worker, add, wake, retries } = startWorker(async ({ deliveryId }) => ({
    kind: 'failed',
    failure: 'http_4xx',
    retryAfterMs: deliveryId === 'polite' ? 60_000 : 1e12,
  }));
  add('polite', 'one');
  add('greedy', 'two');
  wake();

  await waitFor('both have failed', () => retries.length === 2);

  const waits = Object.fromEntries(retries.map(({ deliveryId, waitMs }) => [deliveryId, Math.round(waitMs / 1_000)]));
  expect(waits).toEqual({ polite: 60, greedy: 900 });
  await worker.close();
});

test('a delivery that is refused for good is not attempted again', async () => {
  const { worker, add, wake, ended, retries } = startWorker(async () => ({ kind: 'refused', failure: 'http_4xx' }));
  add('gone');
  wake();

  await waitFor('it has ended', () => ended['gone'] === 'http_4xx');

  expect(retries).toEqual([]);
  await worker.close();
});

test('a delivery that becomes due later is sent then, without being published', async () => {
  const { worker, add, wake, ended } = startWorker(async () => ({ kind: 'accepted' }));
  using waited = watchIdle();
  const dueAt = Date.now() + 1_000;
  add('later', 'sub_1', { dueAt });
  wake();

  await waitFor('it is delivered', () => ended['later'] === 'accepted');

  expect(Date.now()).toBeGreaterThanOrEqual(dueAt);
  expect(waited.read()).toBeLessThan(4_000);
  await worker.close();
});

test('a database that fails is logged once, and waiting deliveries are sent when it is back', async () => {
  const { worker, add, wake, ended, messages, breakDown, takes } = startWorker(async () => ({ kind: 'accepted' }));
  await waitFor('it waits', () => takes() > 0);
  breakDown(new Error('the disk is gone'));
  add('waiting');
  for (let times = 0; times < 3; times += 1) {
    const before = takes();
    wake();
    await waitFor('it has tried', () => takes() > before);
  }
  breakDown(undefined);
  wake();

  await waitFor('it is delivered', () => ended['waiting'] === 'accepted');

  expect(messages).toEqual(['deliveries could not be taken from the queue; trying again']);
  await worker.close();
});

test('a delivery leased by a lost answer is sent soon, and one under way is not sent twice', async () => {
  const { outcome, release } = hanging();
  const begun: string[] = [];
  const { worker, add, wake, loseAnswer, takes } = startWorker(async ({ deliveryId }) => {
    begun.push(deliveryId);
    return outcome;
  });
  add('under way', 'one');
  wake();
  await waitFor('it is under way', () => begun.length === 1);
  add('lost', 'two');
  loseAnswer();
  const before = takes();
  wake();
  await waitFor('the answer is lost', () => takes() > before);

  wake();
  await waitFor('it is delivered', () => begun.includes('lost'));

  expect(begun).toEqual(['under way', 'lost']);
  await close(worker, release);
});

test('a delivery that could not be read again is taken at the next pass, and not before', async () => {
  let attempts = 0;
  const { worker, add, wake, failLooks, ended, takes } = startWorker(async (_delivery, isWanted) => {
    attempts += 1;
    return (await isWanted()) ? { kind: 'accepted' } : { kind: 'withheld' };
  });
  failLooks(true);
  add('waiting');
  wake();
  await waitFor('it was looked at', () => attempts === 1);
  const before = takes();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(takes() - before).toBeLessThanOrEqual(1);

  failLooks(false);
  wake();
  await waitFor('it is delivered', () => ended['waiting'] === 'accepted');

  expect(attempts).toBe(2);
  await worker.close();
});

test('closing waits for a delivery under way, and stores what came of it', async () => {
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>();
  let isBegun = false;
  const { worker, add, wake, ended } = startWorker(() => {
    isBegun = true;
    return promise;
  });
  add('under way');
  wake();
  await waitFor('it has begun', () => isBegun);
  const closed = worker.close();

  resolve({ kind: 'accepted' });
  await closed;

  expect(ended).toEqual({ 'under way': 'accepted' });
});

test('a queue in which all is taken is not asked again and again', async () => {
  const { outcome, release } = hanging();
  const { worker, add, wake, takes, queue } = startWorker(() => outcome);
  for (let n = 0; n < 10; n += 1) add(`stuck ${n}`, `sub ${n}`);
  add('for later', 'other', { dueAt: Date.now() + FAR_MS });
  wake();
  await waitFor('all are under way', () => [...queue.values()].filter(({ isTaken }) => isTaken).length === 10);
  const before = takes();

  await new Promise((resolve) => setTimeout(resolve, 300));

  expect(takes() - before).toBeLessThanOrEqual(1);
  await close(worker, release);
});

/** A queue in memory that keeps to what the port says, and the worker on it. */
function startWorker(deliver: (delivery: DueDelivery, isWanted: () => Promise<boolean>) => Promise<DeliveryOutcome>) {
  const queue = new Map<string, Queued>();
  const ended: Record<string, string> = {};
  const retries: { deliveryId: string; waitMs: number }[] = [];
  let failure: Error | undefined;
  let isAnswerLost = false;
  let isLookFailing = false;
  let takes = 0;
  const deliveries: DeliveryStore = {
    take: async (limit) => {
      takes += 1;
      if (failure !== undefined) throw failure;
      const taken: Queued[] = [];
      for (const queued of [...queue.values()].sort((one, other) => one.dueAt - other.dueAt)) {
        const { dueAt, isTaken } = queued;
        if (!isTaken && dueAt <= Date.now() && taken.length < limit) taken.push(queued);
      }
      for (const each of taken) each.isTaken = true;
      if (isAnswerLost) {
        isAnswerLost = false;
        throw new Error('the connection is gone');
      }
      return taken;
    },
    accepted: async (deliveryId) => {
      queue.delete(deliveryId);
      ended[deliveryId] = 'accepted';
    },
    failedAttempt: async (deliveryId, reason, retryInMs) => {
      const queued = queue.get(deliveryId);
      if (queued === undefined) return;
      if (retryInMs === undefined) {
        queue.delete(deliveryId);
        ended[deliveryId] = reason;
        return;
      }
      retries.push({ deliveryId, waitMs: retryInMs });
      Object.assign(queued, { isTaken: false, attempts: queued.attempts + 1, dueAt: Date.now() + retryInMs });
    },
    nextDueInMs: async () => {
      const waiting = [...queue.values()].filter(({ isTaken }) => !isTaken).map(({ dueAt }) => dueAt);
      return waiting.length === 0 ? undefined : Math.min(...waiting) - Date.now();
    },
    makeAllDue: async () => {
      for (const each of queue.values()) each.dueAt = Math.min(each.dueAt, Date.now());
    },
    counts: async () => ({ waiting: queue.size, dropped: 0 }),
    isWanted: async (deliveryId) => {
      if (isLookFailing) throw new Error('the connection is gone');
      return queue.has(deliveryId);
    },
    giveBack: async (deliveryId) => {
      Object.assign(queue.get(deliveryId) ?? {}, { isTaken: false });
    },
    releaseAllBut: async (deliveryIds) => {
      for (const each of queue.values()) each.isTaken = deliveryIds.includes(each.deliveryId);
    },
    releaseOfDead: async () => false,
    removeStale: async () => 0,
  };
  const invalidations = createInvalidations();
  const { log, messages } = listeningLog();
  const callbacks: Pick<Callbacks, 'deliver'> = {
    deliver: ({ eventId }, isWanted) =>
      deliver(queue.get(eventId) ?? expect.fail(`${eventId} is not queued`), isWanted),
  };
  const worker = startDeliveries({ deliveries, callbacks, invalidations, clock: systemClock, log });
  return {
    worker,
    queue,
    ended,
    retries,
    messages,
    takes: () => takes,
    breakDown: (error: Error | undefined) => {
      failure = error;
    },
    loseAnswer: () => {
      isAnswerLost = true;
    },
    failLooks: (isFailing: boolean) => {
      isLookFailing = isFailing;
    },
    wake: () => invalidations.invalidate('deliveries', 'acc_1'),
    add: (deliveryId: string, subscriptionId = 'sub_1', changes: Partial<Queued> = {}) => {
      queue.set(deliveryId, {
        deliveryId,
        eventId: deliveryId,
        subscriptionId,
        accountId: 'acc_1',
        url: 'https://hooks.example/',
        secrets: [],
        body: '{}',
        attempts: 0,
        dueAt: Date.now(),
        isTaken: false,
        ...changes,
      });
    },
  };
}

/** A receiver that hangs until the test has seen enough. */
function hanging() {
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>();
  return { outcome: promise, release: () => resolve({ kind: 'accepted' }) };
}

async function close(worker: Repeated, release: () => void): Promise<void> {
  const closed = worker.close();
  release();
  await closed;
}

interface Queued extends DueDelivery {
  dueAt: number;
  isTaken: boolean;
}
