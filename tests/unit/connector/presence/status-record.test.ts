import pino from 'pino';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { BouncerEvents } from '../../../../src/connector/ports/bouncer-session.ts';
import type { PresenceStatus } from '../../../../src/connector/ports/presence.ts';
import type { PresenceStore } from '../../../../src/connector/ports/presence-store.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';

const test = testWithNewStore();

let accountId: string;
let opened: Presences[];
/** State that the bouncer reports, and the receiver of its events. */
let session: { nick: string; joinedChannels: string[]; upstream: boolean; reason: string | undefined };
let events: BouncerEvents | undefined;
let written: PresenceStatus[];

test.beforeEach(async () => {
  accountId = await open.account('ada', ['#room', '#Ops']);
  [opened, written] = [[], []];
  session = { nick: 'ada', joinedChannels: ['#room', '#Ops'], upstream: true, reason: undefined };
});

afterEach(async () => {
  for (const presences of opened) await presences.close();
});

test('another process reports of a session what its holder knows, as it changes and until it ends', async () => {
  const [holder, other] = [process(), process()];
  const becomes = (what: Partial<PresenceStatus>): Promise<unknown> =>
    waitFor(JSON.stringify(what), async () => {
      const status = await other.status(accountId);
      return status !== undefined && JSON.stringify({ ...status, ...what }) === JSON.stringify(status);
    });
  expect(await other.status(accountId)).toBeUndefined();

  await holder.goOnline(accountId);
  await becomes({ sessionSince: open.clock.now(), nick: 'ada', upstream: true, joinedChannels: ['#room', '#Ops'] });

  session = { ...session, nick: 'ada_', joinedChannels: ['#room'], reason: '474 banned' };
  events?.onChanged();
  await becomes({ nick: 'ada_', joinedChannels: ['#room'], notJoined: { '#Ops': '474 banned' } });
  expect(await other.status(accountId)).toEqual(await holder.status(accountId));
  session.upstream = false;
  events?.onUpstreamLost();
  events?.onChanged();
  await becomes({ upstream: false });

  await holder.goOffline(accountId);
  await waitFor('the end is known', async () => (await other.status(accountId)) === undefined);
});

test('many changes at once are written together, and what has not changed is not written', async () => {
  const holder = process();
  await holder.goOnline(accountId);
  const idle = () => waitFor('all is written', () => holder.levels().waitingLines === 0);
  await idle();
  const before = written.length;

  for (let n = 0; n < 100; n += 1) {
    session.nick = `ada${n}`;
    events?.onChanged();
  }
  await idle();
  expect(written.slice(before).map(({ nick }) => nick)).toEqual(['ada99']);

  events?.onChanged();
  await idle();
  expect(written).toHaveLength(before + 1);
});

test('a session of a process that was killed is forgotten before anybody asks', async () => {
  await process().goOnline(accountId);
  await waitFor('it is written', async () => (await open.store.presences.find(accountId)) !== undefined);

  const next = process();
  await next.gain('all', { isShared: false });

  expect(await next.status(accountId)).toBeUndefined();
});

/** One process before the common database; it counts what it writes. */
function process(): Presences {
  const { presences } = open.store;
  const write: PresenceStore['write'] = async (of, status, sending) => {
    written.push(status);
    await presences.write(of, status, sending);
  };
  const made = new Presences({
    store: { ...open.store, presences: { ...presences, write } },
    bouncer: {
      ...obedientBouncer,
      attach: async (_account, _channels, told) => {
        events = told;
        return {
          ...silentSession,
          get nick() {
            return session.nick;
          },
          get joinedChannels() {
            return session.joinedChannels;
          },
          get upstream() {
            return session.upstream;
          },
          notJoinedReason: (channel) => (channel === '#Ops' ? session.reason : undefined),
        };
      },
    },
    ...{ clock: open.clock, log: pino({ level: 'silent' }), settings: { network: { name: 'main' } } },
  });
  opened.push(made);
  return made;
}
