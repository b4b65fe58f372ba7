import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { receiver, receiving } from '../../harness/fixtures/receiver.ts';
import { agent, bob, stack, testInRoom } from '../../harness/fixtures/room.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { subscriberOf } from '../../harness/subscriber.ts';

const MENTIONS = 1_000;
const MENTIONS_PER_SECOND = 50;
/** The last retry comes after about ten minutes; most attempts succeed at once. */
const DELIVERED_MS = 120_000;

const test = testInRoom({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } }).extend(
  'receiver',
  { scope: 'file', auto: true },
  receiving,
);

const textOf = (n: number): string => `ada: mention ${String(n).padStart(4, '0')}`;

test('each of 1,000 mentions that was kept under kills of connector and bouncer is delivered under one event id', async () => {
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
  const said = sayAll();
  let isSaid = false;
  void said.then(() => {
    isSaid = true;
  });
  let kills = 0;
  for (const part of ['connector', 'soju', 'connector', 'connector', 'soju', 'connector'] as const) {
    if (isSaid) break;
    await delay(1_500);
    await stack.kill(part);
    await delay(300);
    await stack.revive(part);
    kills += 1;
    await seesMentions();
  }
  await said;
  bob.say('#room', 'ada: the last one');
  await waitFor('the last one is delivered', () => idsByText().has('ada: the last one'), { timeoutMs: DELIVERED_MS });

  const kept = (await keptBySoju(stack.folder)).filter((text) => text.startsWith('ada: '));
  const ids = await waitFor(
    'all that the bouncer kept is delivered',
    () => {
      const delivered = idsByText();
      return kept.every((text) => delivered.has(text)) && delivered;
    },
    { timeoutMs: DELIVERED_MS },
  );

  const all = [...ids.values()].flatMap((each) => [...each]);
  console.log(`${kills} kills: ${ids.size} mentions of ${MENTIONS + 1} reached the bouncer and were delivered`);
  expect(kills).toBeGreaterThanOrEqual(5);
  expect([...ids.values()].every((each) => each.size === 1)).toBe(true);
  expect(new Set(all).size).toBe(all.length);
  // Lines that were said while the bouncer was dead are lost.
  expect(ids.size).toBeGreaterThan(MENTIONS * 0.8);
});

/** Says the mentions at a steady rate; resolves when all are said. */
async function sayAll(): Promise<void> {
  for (let n = 0; n < MENTIONS; n += 1) {
    bob.say('#room', textOf(n));
    await delay(1_000 / MENTIONS_PER_SECOND);
  }
}

/** The event ids under which each text came. */
function idsByText(): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { eventId, data } of receiver.events()) {
    const text = String(data['text']);
    ids.set(text, (ids.get(text) ?? new Set()).add(eventId));
  }
  return ids;
}

function seesMentions(): Promise<boolean> {
  return waitFor('ada is back in the room', async () => {
    const { upstreamConnected } = await agent.call('see_account_information');
    return upstreamConnected === true;
  });
}
