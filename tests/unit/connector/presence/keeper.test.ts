import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CONNECT_MAX_MS, STABLE_MS } from '../../../../src/connector/domain/backoff.ts';
import type { BouncerUser } from '../../../../src/connector/ports/bouncer.ts';
import type { BouncerSession } from '../../../../src/connector/ports/bouncer-session.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import { Keeper } from '../../../../src/connector/presence/keeper.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const USER: BouncerUser = { name: 'ada', password: 'secret', network: null };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('an attempt that takes a minute is left alone, one that failed is repeated', async () => {
  const { keeper, commands } = keep();

  await keeper.connect(USER, 'ada');
  await pass(60 * SECOND_MS);
  expect(commands).toHaveLength(1);
  keeper.failed();
  await pass(7 * SECOND_MS);

  expect(commands).toHaveLength(2);
  await pass(60 * SECOND_MS);
  expect(commands).toHaveLength(2);
});

test('going online while an attempt is under way gives no second command', async () => {
  const { keeper, commands } = keep();

  await keeper.connect(USER, 'ada');
  await pass(30 * SECOND_MS);
  await keeper.connect(USER, 'ada');

  expect(commands).toHaveLength(1);
});

test('going online while the next attempt is only planned begins it at once, and it is left alone as well', async () => {
  const { keeper, commands } = keep();
  await keeper.connect(USER, 'ada');
  keeper.failed();

  await keeper.connect(USER, 'ada');
  await pass(60 * SECOND_MS);

  expect(commands.map(({ at }) => at)).toEqual([0, 0]);
});

test('an attempt without an answer is repeated after two minutes and the usual wait', async () => {
  const { keeper, commands } = keep();

  await keeper.connect(USER, 'ada');
  await pass(CONNECT_MAX_MS);
  expect(commands).toHaveLength(1);
  await pass(6 * SECOND_MS);

  expect(commands).toHaveLength(2);
});

test('a loss that a command brings about itself does not call for another command', async () => {
  const { keeper, session, commands } = keep();
  Object.assign(session, { upstream: null });
  keeper.hung();
  await pass(6 * SECOND_MS);
  expect(commands).toHaveLength(1);

  keeper.lost();
  await pass(60 * SECOND_MS);

  expect(commands).toHaveLength(1);
});

test('a server that ends the connection after the welcome is asked less and less often', async () => {
  const { keeper, session, commands, waits } = keep();
  await keeper.connect(USER, 'ada');

  for (let count = 1; count < 6; count += 1) {
    Object.assign(session, { upstream: true });
    keeper.connected();
    await pass(SECOND_MS);
    Object.assign(session, { upstream: false });
    keeper.lost();
    while (commands.length === count) await pass(SECOND_MS);
  }

  for (const [index, least] of [5, 15, 60, 180, 600].entries()) {
    expect(waits()[index]).toBeGreaterThanOrEqual(least);
    expect(waits()[index]).toBeLessThanOrEqual(least * 1.2 + 2);
  }
});

test('after a stable minute a loss is answered as the first one was', async () => {
  const { keeper, session, commands, waits } = keep();
  await keeper.connect(USER, 'ada');
  for (let count = 1; count < 4; count += 1) {
    keeper.failed();
    while (commands.length === count) await pass(SECOND_MS);
  }

  Object.assign(session, { upstream: true });
  keeper.connected();
  await pass(STABLE_MS);
  Object.assign(session, { upstream: false });
  keeper.lost();
  await pass(6 * SECOND_MS);

  expect(commands).toHaveLength(5);
  expect(waits().at(-1)).toBeLessThan(STABLE_MS / SECOND_MS + 7);
});

test('a network that connects by itself before the planned attempt is left alone', async () => {
  const { keeper, session, commands } = keep();

  keeper.lost();
  Object.assign(session, { upstream: true });
  keeper.connected();
  await pass(HOUR_MS);

  expect(commands).toEqual([]);
});

test('a server that refuses the account for good is asked again only when a person decides so', async () => {
  const { keeper, session, commands } = keep();
  await keeper.connect(USER, 'ada');
  Object.assign(session, { upstreamRefusal: '465 banned' });
  keeper.failed();
  keeper.refused();
  await pass(HOUR_MS);
  expect(commands).toHaveLength(1);

  await keeper.connect(USER, 'ada');
  // The same words again do not count as a new refusal.
  keeper.failed();
  await pass(HOUR_MS);

  expect(commands).toHaveLength(2);
});

test('each attempt that failed for a taken nick takes another one', async () => {
  const { keeper, session, commands } = keep();
  await keeper.connect(USER, 'ada');

  Object.assign(session, { isNickTaken: true });
  for (let count = 1; count < 4; count += 1) {
    keeper.failed();
    while (commands.length === count) await pass(SECOND_MS);
  }

  expect(commands.map(({ nick }) => nick)).toEqual(['ada', 'ada2', 'ada3', 'ada4']);
});

test('a command that does not get through is given again', async () => {
  const { keeper, commands } = keep({ refusesCommands: true });

  await expect(keeper.connect(USER, 'ada')).rejects.toThrow('the admin socket is away');
  await pass(30 * SECOND_MS);

  expect(commands).toHaveLength(3);
});

test('no command runs after the end, not even one that waited for its turn', async () => {
  const { keeper, commands } = keep();

  keeper.lost();
  vi.advanceTimersByTime(6 * SECOND_MS);
  keeper.stop();
  await pass(HOUR_MS);

  expect(commands).toEqual([]);
});

test('a connection that hung and goes on by itself is as good as a new one after a stable minute', async () => {
  const { keeper, session, commands } = keep();
  keeper.lost();
  session.upstream = true;
  await pass(HOUR_MS);
  session.upstream = false;

  keeper.lost();
  await pass(7 * SECOND_MS);

  expect(commands).toHaveLength(1);
});

test('an account that goes online and offline all the time connects five times a minute, and online is connected in the end', async () => {
  const { keeper, commands } = keep();

  for (let n = 0; n < 200; n += 1) {
    await keeper.connect(USER, 'ada');
    await pass(SECOND_MS / 10);
    keeper.stop();
  }
  expect(commands.map(({ at }) => at)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);

  await keeper.connect(USER, 'ada');
  await pass(60 * SECOND_MS);
  expect(commands).toHaveLength(6);
  expect(commands.at(-1)?.at).toBeGreaterThanOrEqual(60);
  keeper.stop();
});

/**
 * A keeper of an account whose network is not connected, and the seconds at which the bouncer got the command to
 * connect it.
 */
function keep({ refusesCommands = false } = {}) {
  const began = Date.now();
  const commands: { at: number; nick: string | undefined }[] = [];
  const session: { -readonly [Key in keyof BouncerSession]: BouncerSession[Key] } = {
    ...silentSession,
    upstream: false,
  };
  const command = async (nick: string | undefined) => {
    commands.push({ at: (Date.now() - began) / SECOND_MS, nick });
    if (refusesCommands) throw new Error('the admin socket is away');
  };
  const accounts = { find: async () => ({ nick: 'ada' }), bouncerUser: async () => USER };
  const keeper = new Keeper({
    accountId: 'acc_1',
    context: {
      store: { accounts } as unknown as Store,
      bouncer: {
        ...obedientBouncer,
        setOnline: (_user, _isOnline, nick) => command(nick),
        reconnect: (_user, nick) => command(nick),
      },
      clock: { now: () => 0, monotonic: () => performance.now() },
      log: pino({ level: 'silent' }),
      settings: { network: { name: 'main' } },
    },
    session: () => session,
    run: (task) => task(),
  });
  return {
    keeper,
    session,
    commands,
    /** Seconds between one command and the next. */
    waits: () => commands.slice(1).map(({ at }, index) => at - (commands[index]?.at ?? 0)),
  };
}
