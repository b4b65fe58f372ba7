import pino from 'pino';
import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Casemapping } from '../../../../src/connector/domain/casemapping.ts';
import type { BouncerEvents } from '../../../../src/connector/ports/bouncer-session.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { subscribed, textIn } from '../../../harness/mentions.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const test = testWithStore();

let serial = 0;

const TEXTS = ['ada[m]: one', 'ADA{M}: two', 'ada~: three', 'ada^: four'];

for (const [casemapping, nick, told] of [
  ['ascii', 'ada{m}', ['ADA{M}: two']],
  ['rfc1459', 'ada{m}', ['ADA{M}: two', 'ada[m]: one']],
  ['rfc1459-strict', 'ada^', ['ada^: four']],
] as const) {
  test(`lines of a network of ${casemapping} mention ${nick} by the spellings that it takes for the same`, async () => {
    expect(await toldOf(TEXTS, { casemapping, nick })).toEqual(told);
  });
}

for (const [casemapping, isTold] of [
  ['ascii', false],
  ['rfc1459', true],
] as const) {
  test(`a filter for another spelling of the sender ${isTold ? 'fits' : 'fits not'} where ${casemapping} counts`, async () => {
    const told = await toldOf(['ada: hello'], { casemapping, nick: 'ada', filters: { sender: 'BOB{1}' } });

    expect(told).toEqual(isTold ? ['ada: hello'] : []);
  });
}

test('the network’s last announcement counts while the account is offline, until it moves to another network', async () => {
  const accountId = await open.account('carl');
  let casemapping: Casemapping | undefined;
  let events: BouncerEvents | undefined;
  const presences = new Presences({
    store: open.store,
    bouncer: {
      ...obedientBouncer,
      attach: async (_account, _channels, told) => {
        events = told;
        return {
          ...silentSession,
          get casemapping() {
            return casemapping;
          },
        };
      },
    },
    ...{ clock: open.clock, log: pino({ level: 'silent' }), settings: { network: { name: 'main' } } },
  });
  const known = async () => (await open.anew(open.clock).accounts.find(accountId))?.casemapping;
  try {
    await presences.goOnline(accountId);
    expect(await known()).toBe('rfc1459');
    casemapping = 'ascii';
    events?.onChanged();
    await waitFor('it is noted', async () => (await known()) === 'ascii');
    casemapping = 'rfc1459';
    events?.onChanged();
    await waitFor('the change is noted', async () => (await known()) === 'rfc1459');
    casemapping = 'unicode';
    events?.onChanged();
    await waitFor('the last one is noted', async () => (await known()) === 'unicode');
    await presences.goOffline(accountId);
    expect([await known(), (await open.store.accounts.bouncerUser(accountId)).casemapping]).toEqual([
      'unicode',
      'unicode',
    ]);
    await open.store.accounts.chooseNetwork(accountId, 'other');
    expect(await known()).toBe('rfc1459');
  } finally {
    await presences.close();
  }
});

/** Returns the lines that an agent with these filters is notified of, for an account with this nick. */
async function toldOf(
  texts: readonly string[],
  { nick, casemapping, filters = {} }: { nick: string; casemapping: Casemapping; filters?: { sender?: string } },
): Promise<string[]> {
  serial += 1;
  const accountId = await open.account(`ada${serial}`);
  await subscribed(open, accountId, { filters });
  const lines = texts.map((text) => ({
    ...{ line: { ...capturedLine(text, open.clock.now()), sender: 'bob[1]' }, own: undefined, nick, casemapping },
  }));
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  const taken = await open.store.deliveries.take(10, 60_000);
  return taken.map(({ body }) => textIn(body)).sort();
}
