import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { Random } from '../../../../bench/soak/random.ts';
import { startEvents } from '../../../../bench/soak/receiver.ts';
import { RECEIVER_SECRET } from '../../../harness/webhook-receiver.ts';

const MINUTE_MS = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** It refuses no delivery. */
const taking = () => startEvents(Object.assign(new Random(1, 'receiver'), { next: () => 0.5 }));

test('a delivery of an hour ago is still a good one at the end of a run', async () => {
  const { receiver, events } = await taking();
  await using _ = receiver;
  expect(await deliver(receiver.url, RECEIVER_SECRET)).toBe(204);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * MINUTE_MS });
  expect(receiver.events().map(({ eventId }) => eventId)).toEqual(['evt1']);
  expect(events).toMatchObject([{ account: 'ada', eventId: 'evt1', entryId: 'e1', text: 'ada: look' }]);
});

test('a delivery with another signature is found at the end of a run, however often one asks', async () => {
  const { receiver } = await taking();
  await using _ = receiver;
  await deliver(receiver.url, `whsec_${Buffer.alloc(32, 8).toString('base64')}`);
  for (const _again of [1, 2]) expect(() => receiver.events()).toThrow('No matching signature found');
});

/** Delivers an event that was signed with a secret. */
async function deliver(url: string, secret: string): Promise<number> {
  const body = JSON.stringify({ eventId: 'evt1', name: 'irc.mention', data: { entryId: 'e1', text: 'ada: look' } });
  const at = new Date();
  const headers = {
    'webhook-id': 'evt1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt1', at, body),
  };
  return (await fetch(`${url}/ada`, { method: 'POST', headers, body })).status;
}
