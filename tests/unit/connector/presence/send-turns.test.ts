import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { backlogFull } from '../../../../src/connector/errors.ts';
import type { Accepted } from '../../../../src/connector/ports/message-store.ts';
import { Sending } from '../../../../src/connector/presence/sending.ts';

const message = { messageId: 'msg_1', status: 'queued' } as Accepted['message'];
const order = { clientId: 'cli_1', sessionId: undefined, idempotencyKey: undefined, channel: '#room', text: 'hello' };
const noWriter = {
  doubt: () => undefined,
  lookLater: () => undefined,
  settled: () => undefined,
  written: async () => message,
};

test('a hundred sends of one person at once take one connection at a time from others, also if some are refused', async () => {
  let asked = 0;
  const { sending, underWay } = sendingWith(async () => {
    asked += 1;
    const isRefused = asked % 3 === 0;
    await delay(1);
    if (isRefused) throw backlogFull(1_000);
    return { message, lineCount: 1 };
  });

  const sends = await Promise.allSettled(Array.from({ length: 100 }, () => sending.send(order)));

  expect(underWay).toHaveLength(100);
  expect(Math.max(...underWay)).toBe(1);
  expect(sends.filter(({ status }) => status === 'fulfilled')).toHaveLength(67);
});

test('sends behind one that the database does not answer in time are refused at once, and the next one is asked about', async () => {
  const answered = Promise.withResolvers<Accepted>();
  const waitMs = 20;
  const { sending, underWay } = sendingWith(() => answered.promise, waitMs);
  const first = sending.send(order);
  const later = Array.from({ length: 10 }, () => sending.send(order));
  const refused = Promise.all(later.map((each) => expect(each).rejects.toMatchObject({ code: 'account_busy' })));
  await waitFor('the first one is asked about', () => underWay.length === 1);

  await delay(2 * waitMs);
  answered.resolve({ message, lineCount: 1 });

  await refused;
  expect(await first).toBe(message);
  expect(underWay).toEqual([1]);
  expect(await sending.send(order)).toBe(message);
});

/** Sends of one account; the database answers each as given. */
function sendingWith(answer: () => Promise<Accepted>, turnWaitMaxMs?: number) {
  const underWay: number[] = [];
  let count = 0;
  const accept = async (): Promise<Accepted> => {
    count += 1;
    underWay.push(count);
    try {
      return await answer();
    } finally {
      count -= 1;
    }
  };
  const messages = { accept, findByKey: async () => undefined };
  const limit = turnWaitMaxMs === undefined ? {} : { turnWaitMaxMs };
  return { underWay, sending: new Sending({ accountId: 'acc_1', messages, writer: noWriter, ...limit }) };
}
