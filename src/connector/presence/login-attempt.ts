import { fold, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import type { LoginProof, NetworkLogin } from '../domain/login-at-network.ts';
import type { LoginWay } from '../domain/login-steps.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { LoginAnswer } from '../ports/bouncer-logins.ts';

export const OTHER_CERTIFICATE = 'the bouncer has another certificate by now: make a new one';

/** Attempt that this process has begun. Unfinished attempts of other processes count as unanswered. */
export interface Attempt {
  readonly login: NetworkLogin;
  readonly user: BouncerUser;
  /** Ways that were tried: each only once. */
  readonly ways: Set<LoginWay>;
  /** Whether the session has sent the login, and the network has not answered yet. */
  isPending: boolean;
  /** Number of the connection since which the bouncer offers the password: only later ones can be logged in by it. */
  offeredAfter: number;
  /** Whether the bouncer could not be asked to connect again: there may be no such connection. */
  isStalled: boolean;
  /** The network's answer on the session, until it is handled: a failure must not lose it. */
  answer: LoginAnswer | undefined;
  /** The result, until it is stored and the bouncer has followed it. */
  end: LoginAnswer | undefined;
}

export const attemptOf = (login: NetworkLogin, user: BouncerUser, ways: readonly LoginWay[] = []): Attempt => ({
  ...{ login, user, ways: new Set(ways) },
  ...{ isPending: false, isStalled: false, offeredAfter: -1, answer: undefined, end: undefined },
});

/**
 * Whether the bouncer offers the login from its next connection on, which is still to come.
 * @param connections number of connections so far
 */
export const isOffered = ({ ways, offeredAfter }: Attempt, connections: number): boolean =>
  ways.has('registration') && offeredAfter === connections;

/** Whether the network's account has the name that the person entered. */
export const isNamed = (account: string, proof: LoginProof | undefined): boolean =>
  proof?.kind === 'password' && fold(account, USUAL_CASEMAPPING) === fold(proof.name, USUAL_CASEMAPPING);
