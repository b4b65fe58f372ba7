import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../../scripts/stack/wait-for.ts';
import type { NoticeServer } from '../../../../../src/connector/store/connect/postgres-notices.ts';
import { payloadsOf } from '../../../../../src/connector/store/notices/notice.ts';
import { Notices } from '../../../../../src/connector/store/notices/notices.ts';
import { createInvalidations } from '../../../../../src/connector/store/shared-invalidations.ts';

/** Shortest interval at which a process applies what it hears. */
const INTERVAL_MS = 20;

const orders = (key: string): string => payloadsOf('prc_there', { subjects: [['orders', key]] })[0] ?? '';

test.each([
  ['the same change', () => orders('acc_1')],
  ['that everything has changed', () => payloadsOf('prc_there', 'all')[0] ?? ''],
])(
  'ten thousand notices that say %s wake a worker once in 20 ms at most, and after the last of them',
  async (_, payloadOf) => {
    const { heard, send } = await listening();
    const payload = payloadOf();
    const begun = performance.now();

    for (let sent = 1; sent < 10_000; sent += 1) {
      send(payload);
      if (sent % 100 === 0) await new Promise(setImmediate);
    }
    const before = heard.length;
    send(payload);
    await waitFor('the last one is applied', () => heard.length > before);

    const wakes = heard.filter((each) => each.startsWith('orders')).length;
    expect(wakes).toBeLessThanOrEqual(2 + (performance.now() - begun) / INTERVAL_MS);
  },
);

test('a notice after a pause is applied at once, and each change of a burst once', async () => {
  const { heard, send } = await listening();
  send(orders('first'));
  expect(heard).toEqual(['orders first']);

  for (let round = 0; round < 3; round += 1) for (let n = 0; n < 900; n += 1) send(orders(`acc_${n}`));
  await waitFor('all are applied', () => heard.includes('orders acc_899'));

  expect(heard.slice(1).toSorted()).toEqual(Array.from({ length: 900 }, (_, n) => `orders acc_${n}`).toSorted());
});

test('more changes than a process keeps in mind make it forget everything', async () => {
  const { heard, send } = await listening();

  for (let n = 0; n < 5_000; n += 1) send(orders(`acc_${n}`));
  await waitFor('everything is forgotten', () => heard.includes('account *'));

  expect(heard.length).toBeLessThan(1_500);
});

/** A process that hears what a test sends. */
async function listening() {
  let hear: (payload: string) => void = () => undefined;
  const server: NoticeServer = {
    openNotices: async (_processId, heard) => {
      hear = heard;
      return { publish: async (payloads) => payloads.forEach(heard), close: async () => undefined };
    },
    publishOnce: async (_processId, payload) => hear(payload),
  };
  const invalidations = createInvalidations();
  const heard: string[] = [];
  for (const topic of ['account', 'orders'] as const) {
    invalidations.on(topic, (key) => heard.push(`${topic} ${key ?? '*'}`));
  }
  const notices = new Notices({ server, processId: 'prc_here', invalidations, log: pino({ level: 'silent' }) });
  onTestFinished(() => notices.close());
  notices.follow(true);
  await waitFor('it hears notices', () => notices.isUp);
  heard.length = 0;
  return { heard, send: (payload: string) => hear(payload) };
}
