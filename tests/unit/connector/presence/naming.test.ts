import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Naming } from '../../../../src/connector/presence/naming.ts';
import { silentSession } from '../../../harness/bouncer-double.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** An account that wants a nick, on a network that gives it unless it refuses. */
function named(nick: string, refuses: boolean) {
  const asked: string[] = [];
  const session = {
    ...silentSession,
    nick: 'ada',
    nickRefusal: undefined as string | undefined,
    changeNick: (wanted: string): void => {
      asked.push(wanted);
      session.nickRefusal = refuses ? '433 in use' : undefined;
      if (!refuses) session.nick = wanted;
    },
  };
  const naming = new Naming(() => session);
  naming.nick = nick;
  return { naming, asked, session, gives: () => (refuses = false) };
}

test('a nick that is given is asked for once, and one that is in use not at all', async () => {
  const { naming, asked } = named('lovelace', false);
  naming.ask();
  naming.ask();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(asked).toEqual(['lovelace']);

  const same = named('ada', false);
  same.naming.ask();
  expect(same.asked).toEqual([]);
});

test('a nick that is refused is asked for again every five minutes until it is given', async () => {
  const { naming, asked, gives } = named('lovelace', true);
  naming.ask();
  await vi.advanceTimersByTimeAsync(11 * MINUTE_MS);
  expect(asked).toHaveLength(3);

  gives();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);

  expect(asked).toHaveLength(4);
});

test('an account that goes offline asks for nothing any more', async () => {
  const { naming, asked } = named('lovelace', true);
  naming.ask();

  naming.stop();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);

  expect(asked).toHaveLength(1);
});

test('whoever takes the nick in use back after a refusal gives up the other one', () => {
  const { naming, asked, gives } = named('lovelace', true);
  naming.ask();
  gives();

  naming.nick = 'ada';
  naming.ask();

  expect(asked).toEqual(['lovelace', 'ada']);
});
