import pino from 'pino';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { BouncerEvents, BouncerSession, ObservedLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { capturedLine, openStore } from '../../../harness/open-store.ts';

const CHANNEL = '#room';

test('a session that is lost before it has replayed what was missed leaves no line in front of that', async () => {
  await using account = await online();
  const { sessions, stored, line, open } = account;
  const now = open.clock.now();

  sessions[0]?.onLine(line('newer', now));
  sessions[0]?.onClose('the connection was cut');
  await waitFor('it is attached again', () => sessions.length === 2);
  const lines = [line('older', now - 1_000), line('newer', now)];
  sessions[1]?.onReplayed({ channel: CHANNEL, lines, next: undefined, overfullAt: undefined });

  await waitFor('both are stored', async () => (await stored()).length >= 2);
  expect(await stored()).toEqual(['older', 'newer']);
});

test('a session that is lost while it begins leaves no line in front of what was missed', async () => {
  const now = Date.now();
  let newer: ObservedLine | undefined;
  await using account = await online((events, count) => {
    if (count !== 2 || newer === undefined) return;
    events.onLine(newer);
    events.onClose('the connection was cut');
  });
  const { sessions, stored, line } = account;
  newer = line('newer', now);

  sessions[0]?.onClose('the connection was cut');
  await waitFor('it is attached for the third time', () => sessions.length === 3);
  const lines = [line('older', now - 1_000), newer];
  sessions[2]?.onReplayed({ channel: CHANNEL, lines, next: undefined, overfullAt: undefined });

  await waitFor('both are stored', async () => (await stored()).length >= 2);
  expect(await stored()).toEqual(['older', 'newer']);
});

test('an account that goes offline after its session was lost has the lines that it got', async () => {
  await using account = await online();
  const { sessions, stored, line, open, presences, accountId } = account;

  sessions[0]?.onLine(line('the last one', open.clock.now()));
  sessions[0]?.onClose('the connection was cut');
  await presences.goOffline(accountId);

  await waitFor('it is stored', async () => (await stored()).length > 0);
  expect(await stored()).toEqual(['the last one']);
});

/** An account that is online, with a bouncer that replays when the test says so. */
async function online(began: (events: BouncerEvents, count: number) => void = () => undefined) {
  const open = await openStore();
  const accountId = await open.account('ada', [CHANNEL]);
  const sessions: BouncerEvents[] = [];
  const session: BouncerSession = { ...silentSession, canReplay: true };
  const presences = new Presences({
    ...{
      store: open.store,
      clock: open.clock,
      log: pino({ level: 'silent' }),
      settings: { network: { name: 'main' } },
    },
    bouncer: {
      ...obedientBouncer,
      attach: async (_account, _channels, events) => {
        sessions.push(events);
        began(events, sessions.length);
        return session;
      },
    },
  });
  void presences.goOnline(accountId).catch(() => undefined);
  await waitFor('it is attached', () => sessions.length === 1);
  await waitFor('it has a session', () => presences.of(accountId).live !== undefined);
  const stored = async (): Promise<string[]> =>
    (await open.database('entries').where('account_id', accountId).orderBy('row')).map(({ text }) => text);
  const line = (text: string, at: number): ObservedLine => ({
    line: { ...capturedLine(text, at), fingerprintBase: text },
    own: undefined,
  });
  return {
    ...{ open, presences, accountId, sessions, stored, line },
    [Symbol.asyncDispose]: async () => {
      await presences.close();
      await open[Symbol.asyncDispose]();
    },
  };
}
