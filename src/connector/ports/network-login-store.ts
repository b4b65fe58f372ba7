import type { LoginProof, LoginState, NetworkLogin } from '../domain/login-at-network.ts';
import type { Network } from '../domain/network.ts';

/** Logins at IRC networks, one for each network of an account. */
export interface NetworkLoginStore {
  /** Finds the login for this name and this address; one for another address of the same name is not found. */
  find(accountId: string, network: Network): Promise<NetworkLogin | undefined>;
  /** Lists all logins of the account by network, also of networks that are no longer approved. */
  list(accountId: string): Promise<NetworkLogin[]>;
  /** Stores a login as waiting and replaces the former one; returns its id. */
  enter(accountId: string, network: Network, proof: LoginProof): Promise<string>;
  /** Stores its state, unless another one has replaced it, or it was cleared. */
  note(loginId: string, state: LoginState, words?: string | null): Promise<void>;
  /**
   * Wants the login to be tried, and tried with the next connection if it can't be now. One that was accepted, or that
   * is being tried, stays as it is.
   */
  want(loginId: string): Promise<void>;
  /** Deletes the proof; the login itself stays until `remove`. */
  clear(loginId: string): Promise<void>;
  remove(loginId: string): Promise<void>;
}

/** A limit of attempts that does not allow another one now. */
export interface AttemptRefusal {
  limit: 'person' | 'network';
  waitMs: number;
}

/** Recent attempts to log in at networks, of all processes. */
export interface LoginAttemptStore {
  /** Counts an attempt of a person at a network, unless a limit refuses it. */
  take(accountId: string, network: string): Promise<AttemptRefusal | undefined>;
  /** Removes at most `limit` attempts that do not count any more; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
