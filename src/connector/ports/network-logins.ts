import type { Network } from '../domain/network.ts';
import type { LoginProof, LoginState, NetworkLogin } from '../domain/network-login.ts';

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
  /** Deletes the proof; the login itself stays until `remove`. */
  clear(loginId: string): Promise<void>;
  remove(loginId: string): Promise<void>;
}
