import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Naming } from '../../../../src/connector/presence/naming.ts';
import { silentSession } from '../../../harness/bouncer-double.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

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

test('an account that goes offline requests no nick any more', async () => {
  const { naming, asked } = named('lovelace', true);
  naming.ask();

  naming.stop();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);

  expect(asked).toHaveLength(1);
});

test('an account that returns to the nick in use after a refusal gives up the other one', () => {
  const { naming, asked, gives } = named('lovelace', true);
  naming.ask();
  gives();

  naming.nick = 'ada';
  naming.ask();

  expect(asked).toEqual(['lovelace', 'ada']);
});

/** Like `named`, on a network that answers when the test says so. */
function slowlyNamed() {
  const open: string[] = [];
  const asked: string[] = [];
  const session = {
    ...silentSession,
    nick: 'ada',
    nickRefusal: undefined as string | undefined,
    changeNick: (wanted: string): void => {
      asked.push(wanted);
      open.push(wanted);
      session.nickRefusal = undefined;
    },
  };
  const naming = new Naming(() => session);
  const wants = (nick: string): void => {
    naming.nick = nick;
    naming.ask();
  };
  const gives = async (): Promise<void> => {
    session.nick = open.shift() ?? session.nick;
    await vi.advanceTimersByTimeAsync(SECOND_MS);
  };
  const refuses = async (why: string): Promise<void> => {
    open.shift();
    session.nickRefusal = why;
    await vi.advanceTimersByTimeAsync(SECOND_MS);
  };
  return { naming, session, asked, wants, gives, refuses };
}

test('while the network has not answered, of further nicks the newest alone is asked for after that', async () => {
  const { asked, wants, gives, naming } = slowlyNamed();
  wants('grace');
  for (const nick of ['joan', 'mary', 'lovelace']) wants(nick);
  expect(asked).toEqual(['grace']);

  await gives();

  expect(asked).toEqual(['grace', 'lovelace']);
  await gives();
  await naming.settled(() => true);
  expect(asked).toEqual(['grace', 'lovelace']);
});

test('an account that returns to the nick in use before the network has answered has it in the end', async () => {
  const { asked, wants, gives, session } = slowlyNamed();
  wants('grace');
  wants('ada');

  await gives();
  await gives();

  expect([asked, session.nick]).toEqual([['grace', 'ada'], 'ada']);
});

test('the reason of a refusal is reported for the refused nick alone', async () => {
  const { naming, wants, refuses, gives } = slowlyNamed();
  wants('taken');
  wants('free');
  await refuses('433 in use');
  expect(naming.refusal).toBeUndefined();
  await gives();

  wants('taken');
  await refuses('433 in use');

  expect(naming.refusal).toBe('433 in use');
  wants('free');
  expect(naming.refusal).toBeUndefined();
});

test('a network that does not answer keeps the next nick waiting for a few seconds', async () => {
  const { asked, wants } = slowlyNamed();
  wants('grace');
  wants('lovelace');
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(asked).toEqual(['grace']);

  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);

  expect(asked).toEqual(['grace', 'lovelace']);
});

test('however often a person changes the nick, the network is asked five times a minute, and for the newest in the end', async () => {
  const { naming, asked, session } = named('ada', false);

  for (let n = 1; n <= 1_000; n += 1) {
    naming.nick = `ada${n}`;
    naming.ask();
    await vi.advanceTimersByTimeAsync(30);
  }
  expect(asked).toHaveLength(5);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);

  expect(asked).toHaveLength(6);
  expect(session.nick).toBe('ada1000');
});

test('a nick without an answer of the network is requested again on the next connection', () => {
  const { naming, asked, wants } = slowlyNamed();
  wants('grace');

  naming.askAnew();

  expect(asked).toEqual(['grace', 'grace']);
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
