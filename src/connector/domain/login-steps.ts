import type { LoginProof, LoginState } from './login-at-network.ts';

/**
 * The way in which the login was sent: `registration` while the bouncer connected, or `session` later, by the session.
 */
export type LoginWay = 'registration' | 'session';

/**
 * The next step for a connection that is not logged in. `wait` takes no action, `give_up` ends an attempt that got no
 * answer.
 */
export type LoginStep = 'wait' | 'ask' | 'refused' | 'give_up';

/**
 * A login is sent to the network at most twice in one attempt, once by each way; and never again once the network has
 * refused it.
 * @param tried the ways of the attempt that is under way; undefined without one
 */
export function stepWithoutLogin(
  kind: LoginProof['kind'],
  state: LoginState,
  tried: ReadonlySet<LoginWay> | undefined,
): LoginStep {
  if (tried === undefined) {
    // The attempt belongs to a process that has ended.
    if (state === 'trying') return 'give_up';
    if (kind === 'certificate') return state === 'accepted' ? 'refused' : 'wait';
    return state === 'accepted' || state === 'waiting' ? 'ask' : 'wait';
  }
  if (kind === 'certificate') return 'refused';
  if (!tried.has('session')) return 'ask';
  // The services of a network that has accepted the login before may be away: only its own words refuse it then.
  return tried.has('registration') && state !== 'accepted' ? 'refused' : 'give_up';
}

const REFUSED_CONNECTION = /failed to register|registration error|fatal server error/i;
const ABOUT_LOGIN = /\bsasl\b|account|authent|identif|log(?:ged)?[ -]?in|password/i;

/** Whether the error of a failed connection means that the network does not accept the offered login. */
export function refusesLogin(state: LoginState, error: string): boolean {
  if (!REFUSED_CONNECTION.test(error)) return false;
  // A login that was never accepted is not offered twice, whichever error occurred.
  return state === 'trying' || (state === 'accepted' && ABOUT_LOGIN.test(error));
}

/** Describes, for the person and for agents, why the account is not logged in; undefined if there is no problem. */
export function loginProblem(state: LoginState | undefined, words: string | null): string | undefined {
  const meaning = state === undefined ? undefined : MEANINGS[state];
  return meaning === undefined ? undefined : problemOf(meaning, words);
}

/** Describes why an accepted login is not in use: the network did not answer it on the present connection. */
export const unusedProblem = (words: string | null): string =>
  problemOf('which did not answer the login this time; it is sent again with the next connection', words);

function problemOf(meaning: string, words: string | null): string {
  const said = words === null || words === '' ? '' : `: ${words}`;
  return `the account is not logged in at the IRC network, ${meaning}${said}`;
}

const MEANINGS: Partial<Record<LoginState, string>> = {
  refused: 'which did not accept the login',
  lost: 'which accepts the login no longer',
  unanswered: 'which did not answer the login',
  unconfirmed: 'whose NickServ has answered without a word of the server',
  unsupported: 'which offers no login',
};
