import pino from 'pino';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { BouncerEvents, ObservedLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { subscribed, textIn } from '../../../harness/mentions.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const LEASE_MS = 60_000;

const test = testWithNewStore();

let accountId: string;
let presences: Presences;
let events: BouncerEvents | undefined;
/** State that the session reports. */
let nick: string;
let joined: string[];
let canReplay: boolean;
/** A command of the bouncer waits until this resolves. */
let commanded: PromiseWithResolvers<void>;

test.beforeEach(async () => {
  accountId = await open.account('ada');
  [nick, joined, canReplay] = ['ada', ['#room'], false];
  commanded = Promise.withResolvers();
  commanded.resolve();
  presences = new Presences({
    store: open.store,
    bouncer: {
      ...obedientBouncer,
      setChannels: () => commanded.promise,
      attach: async (_account, _channels, told) => {
        events = told;
        return {
          ...silentSession,
          get nick() {
            return nick;
          },
          get joinedChannels() {
            return joined;
          },
          canReplay,
        };
      },
    },
    ...{ clock: open.clock, log: pino({ level: 'silent' }), settings: { network: { name: 'main' } } },
  });
});

afterEach(async () => {
  commanded.resolve();
  await presences.close();
});

const hear = (text: string): void => events?.onLine(observed(text));

test('a line counts under the nick that was in use when it came, also where it is stored after the nick has changed', async () => {
  const goOn = await onlineAndBusy();

  becomes({ joined: [] });
  hear('ada: are you there?');
  becomes({ nick: 'ada_' });
  hear('ada: whoever that is now');
  hear('ada_: and you?');
  becomes({ nick: 'grace' });
  hear('over');
  goOn();

  expect(await mentionsUpTo('over')).toEqual(['ada: are you there?', 'ada_: and you?']);
});

test('a message from before the end of the session counts under the session’s nick, not under the account’s own', async () => {
  nick = 'ada2';
  const goOn = await onlineAndBusy();

  becomes({ joined: [] });
  hear('ada2: one more thing');
  hear('ada: not you');
  events?.onClose('the socket broke');
  goOn();

  expect(await mentionsUpTo('ada: not you')).toEqual(['ada2: one more thing']);
});

test('a line that waits until missed ones are fetched counts under the nick that was in use when it came', async () => {
  canReplay = true;
  await presences.goOnline(accountId);
  await subscribed(open, accountId);

  hear('ada: are you there?');
  await waitFor('it is held', () => presences.levels().waitingLines === 0);
  becomes({ nick: 'grace' });
  await waitFor('the nick is written', async () => (await open.store.presences.find(accountId))?.nick === 'grace');
  hear('over');
  events?.onReplayed({ channel: '#room', lines: [observed('ada: missed')], next: undefined, overfullAt: undefined });

  expect(await mentionsUpTo('over')).toEqual(['ada: are you there?']);
});

function becomes(what: { nick?: string; joined?: string[] }): void {
  nick = what.nick ?? nick;
  joined = what.joined ?? joined;
  events?.onChanged();
}

/** The account is online, its agent is notified of mentions, and its turn is taken until the result is called. */
async function onlineAndBusy(): Promise<() => void> {
  await presences.goOnline(accountId);
  await subscribed(open, accountId);
  await waitFor('all is written', () => presences.levels().waitingLines === 0);
  commanded = Promise.withResolvers();
  void presences.channelsChanged(accountId);
  return commanded.resolve;
}

/** Returns the mentions that the agent gets of the lines up to this one. */
async function mentionsUpTo(last: string): Promise<string[]> {
  await waitFor(`"${last}" is stored`, async () => {
    const row: unknown = await open.database('entries').where({ account_id: accountId, text: last }).first('row');
    return row !== undefined;
  });
  return (await open.store.deliveries.take(10, LEASE_MS)).map(({ body }) => textIn(body));
}

function observed(text: string): ObservedLine {
  return {
    line: { ...capturedLine(text, open.clock.now()), fingerprintBase: text },
    own: undefined,
    nick,
  };
}
