import { NICK_MAX_CHARACTERS } from './limits.ts';

/** Characters a nick may have after its first; RFC 2812 §2.3.1. */
const FORBIDDEN = /[^A-Za-z0-9_\-[\]{}\\|^`]/gu;

/** Largest counter at the end of a nick. */
const COUNTER_MAX = 9_999;

/**
 * Returns the nick of a new account, from the login: `u` before a digit or hyphen, other characters that a nick can't
 * have become `_`, then truncated to 31.
 * @spec connector#human-account
 */
export function nickOf(login: string): string {
  const plain = login.replace(FORBIDDEN, '_');
  const nick = /^[0-9-]/.test(plain) ? `u${plain}` : plain;
  return nick.slice(0, NICK_MAX_CHARACTERS) || 'u';
}

/** The key of an account's nick: it merges most spellings, so that the nicks of two accounts differ on any network. */
export const nickKey = (nick: string): string =>
  nick.toLowerCase().replaceAll('{', '[').replaceAll('}', ']').replaceAll('|', '\\').replaceAll('^', '~');

/** The bouncer's own nick towards people; it refuses the nick on every network. */
const BOUNCER_NICK = 'bouncerserv';

export type NickProblem = 'empty' | 'too_long' | 'bad_start' | 'bad_character' | 'reserved';

/** Returns why a nick is invalid on every network; undefined if it is valid. RFC 2812 §2.3.1 */
export function nickProblem(nick: string): NickProblem | undefined {
  if (nick === '') return 'empty';
  if (nick.search(FORBIDDEN) !== -1) return 'bad_character';
  if (/^[0-9-]/.test(nick)) return 'bad_start';
  if (nick.length > NICK_MAX_CHARACTERS) return 'too_long';
  return nickKey(nick) === BOUNCER_NICK ? 'reserved' : undefined;
}

/**
 * Returns a nick that no other account has: for a taken nick the last characters become a counter.
 * @param isTaken whether a `nickKey` is taken
 */
export function freeNick(login: string, isTaken: (key: string) => boolean): string {
  const nick = nickOf(login);
  if (!isTaken(nickKey(nick))) return nick;
  for (let counter = 2; counter <= COUNTER_MAX; counter += 1) {
    const candidate = withCounter(nick, counter);
    if (!isTaken(nickKey(candidate))) return candidate;
  }
  throw new RangeError('too many accounts have nicks that start like this one');
}

/**
 * Returns the nick to try at an attempt. Attempt 0 is the nick itself, which another person on the network may have.
 */
export const alternateNick = (nick: string, attempt: number): string =>
  attempt === 0 ? nick : withCounter(nick, attempt + 1);

function withCounter(nick: string, counter: number): string {
  const suffix = String(counter);
  return nick.slice(0, NICK_MAX_CHARACTERS - suffix.length) + suffix;
}
