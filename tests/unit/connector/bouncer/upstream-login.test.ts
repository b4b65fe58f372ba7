import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UpstreamLogin } from '../../../../src/connector/bouncer/upstream-login.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

const DEADLINE_MS = 15_000;
const NAME = 'ada-there';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const GREETING = ':NickServ!s@services NOTICE ada :This nickname is registered. Please identify.';

test('lines of SASL go no further, and those that say who is logged in do', () => {
  const { take } = begun('sasl');

  expect(take('AUTHENTICATE +')).toBe(true);
  expect(take(':irc.example 900 ada ada!a@host ada-there :You are logged in')).toBe(false);
  expect(take(':irc.example 903 ada :SASL authentication successful')).toBe(true);
});

test('NickServ’s notices go on to the session, which makes no entries of what is said to a nick', () => {
  expect(begun('nickserv').take(GREETING)).toBe(false);
});

test('a password is written once, though the server requests it without end', () => {
  const { take, written } = begun('sasl');
  for (let time = 0; time < 1_000; time += 1) take('AUTHENTICATE +');

  expect(written).toEqual(['AUTHENTICATE :PLAIN', expect.stringMatching(/^AUTHENTICATE :[\w+/=]+$/)]);
});

test('the longest password goes out in parts of 400 characters, and each part fits a line', () => {
  const { take, written } = begun('sasl', '€'.repeat(100));
  take('AUTHENTICATE +');
  const parts = written.slice(1).map((line) => line.replace('AUTHENTICATE :', ''));

  expect(parts[0]).toHaveLength(400);
  expect(Buffer.from(parts.join(''), 'base64').toString()).toBe(`\0${NAME}\0${'€'.repeat(100)}`);
  expect(Math.max(...written.map((line) => Buffer.byteLength(line)))).toBeLessThan(510);
});

test('a server whose services are away has not refused the login', async () => {
  const { take, answer } = begun('nickserv');

  take(':irc.example 440 ada NickServ :Services are currently unavailable');

  expect(await answer).toEqual({ outcome: 'unavailable', words: 'Services are currently unavailable' });
});

test('a greeting of NickServ does not take the place of its answer, which comes seconds later', async () => {
  const { take, answer } = begun('nickserv');
  take(GREETING);
  await vi.advanceTimersByTimeAsync(3_000);
  take(':NickServ!s@services NOTICE ada :You are now identified.');
  await vi.advanceTimersByTimeAsync(3_000);

  take(':irc.example 900 ada ada!a@host ada-there :You are logged in');

  expect(await answer).toEqual({ outcome: 'accepted' });
});

test('a NickServ that never stops talking does not prolong the wait for the server beyond its deadline', async () => {
  const { take, answer } = begun('nickserv');
  for (let second = 0; second < 15; second += 1) {
    take(`:NickServ!s@services NOTICE ada :still here ${second}`);
    await vi.advanceTimersByTimeAsync(1_000);
  }

  expect(await answer).toEqual({ outcome: 'answered', words: 'still here 14' });
});

test.each([
  'AUTHENTICATE',
  'AUTHENTICATE *',
  `AUTHENTICATE ${'A'.repeat(400)}`,
  ':irc.example 904',
  ':irc.example 908 ada',
  ':NickServ!s@services NOTICE',
  ':irc.example 440',
])('%s of a hostile server does no harm', (line) => {
  for (const way of ['sasl', 'nickserv'] as const) expect(() => begun(way).take(line)).not.toThrow();
});

/** Begins an attempt; `take` handles a line of the server and says whether it went no further. */
function begun(way: 'sasl' | 'nickserv', password = 'secret') {
  const written: string[] = [];
  const login = new UpstreamLogin((line) => {
    written.push(line);
    return true;
  });
  const answer = login.try(way, { name: NAME, password }, DEADLINE_MS);
  return { written, answer, take: (text: string) => login.take(parseLine(text)) };
}
