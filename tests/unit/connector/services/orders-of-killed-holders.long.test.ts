import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { OrderKind } from '../../../../src/connector/ports/order-store.ts';
import { type Holder, OrderHolders } from '../../../harness/order-holders.ts';

let processes: OrderHolders;

beforeAll(async () => {
  processes = await OrderHolders.open();
});

afterAll(() => processes[Symbol.asyncDispose]());

beforeEach(() => processes.begin());

afterEach(() => processes.endHolders());

/** What an order leaves, and the order that undoes it. */
const KINDS: readonly { kind: OrderKind; left: object; value: unknown; contrary: OrderKind; thenLeft: object }[] = [
  { kind: 'go_online', left: { isOnline: true }, value: true, contrary: 'go_offline', thenLeft: { isOnline: false } },
  { kind: 'go_offline', left: { isOnline: false }, value: null, contrary: 'go_online', thenLeft: { isOnline: true } },
  {
    ...{ kind: 'choose_network', left: { isOnline: true, network: 'other' }, value: true },
    ...{ contrary: 'go_offline', thenLeft: { isOnline: false } },
  },
];

test.each(KINDS.flatMap((played) => [true, false].map((isLocal) => ({ kind: played.kind, played, isLocal }))))(
  'an order to $kind whose holder is killed at any await is carried out by the next one, and before the order that undoes it (asked of the holder itself: $isLocal)',
  async (one) => {
    let killed = 0;
    while (await playKilled(one, killed + 1)) killed += 1;

    expect(killed).toBeGreaterThan(10);
  },
);

/**
 * Carries out an order by a holder that is killed at one of its awaits, and then by the next one.
 * @returns false if the holder came to its end before
 */
async function playKilled({ played, isLocal }: Played, killedAt: number): Promise<boolean> {
  const { kind, value, left, contrary, thenLeft } = played;
  await processes.useAccount();
  const first = processes.newHolder();
  if (kind !== 'go_online') await first.presences.goOnline(processes.accountId);
  await waitFor('no order is left', async () => (await processes.rows()).length === 0);
  let doors = 0;
  let killedBy = '';
  const killed = Promise.withResolvers<void>();
  first.knock = async ({ call, side }) => {
    doors += 1;
    if (doors !== killedAt) return;
    killedBy = `${side} ${call}`;
    first.isKilled = true;
    killed.resolve();
  };
  const asked = isLocal ? askedOf(first, kind) : processes.asker.ask(processes.order(kind));
  asked.catch(() => undefined);
  if (!isLocal) {
    await waitFor('it is stored', async () => (await processes.rows()).length === 1);
    void first.presences.takeOrders().catch(() => undefined);
  }
  await Promise.race([killed.promise, asked]);
  const isEnded = async () => (await processes.rows()).every(({ outcome }) => outcome !== null);
  await waitFor('it is killed, or has ended', async () => first.isKilled || isEnded());
  if (!first.isKilled) return false;
  const wasRecorded = await isEnded();
  if (wasRecorded && killedBy !== 'before orders.add')
    expect([killedBy, await processes.account()]).toMatchObject([killedBy, left]);

  const next = processes.newHolder();
  if ((await processes.account()).isOnline) next.presences.of(processes.accountId).resume(0);
  const undone = processes.asker.ask(processes.order(contrary));
  await waitFor('it is stored', async () => (await processes.rows()).some((row) => row.kind === contrary));
  if (!isLocal) expect([killedBy, await processes.answered(next, asked)]).toEqual([killedBy, value]);
  await processes.answered(next, undone);

  const network = kind === 'choose_network' && killedBy !== 'before orders.add' ? 'other' : null;
  expect([killedBy, await processes.account()]).toEqual([killedBy, { ...thenLeft, network }]);
  expect([killedBy, await isEnded()]).toEqual([killedBy, true]);
  // At most once, also if the first one had told the bouncer already.
  expect([killedBy, next.asked.filter((each) => each === 'setOnline false').length <= 1]).toEqual([killedBy, true]);
  await next.end();
  return true;
}

interface Played {
  played: (typeof KINDS)[number];
  /** Whether the holder itself was asked, whose caller then is gone. */
  isLocal: boolean;
}

function askedOf({ presences }: Holder, kind: OrderKind): Promise<unknown> {
  if (kind === 'go_online') return presences.goOnline(processes.accountId);
  return kind === 'go_offline'
    ? presences.goOffline(processes.accountId)
    : presences.chooseNetwork(processes.accountId, 'other');
}
