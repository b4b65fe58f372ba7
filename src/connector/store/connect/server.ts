import type { Knex } from 'knex';

/** One of the two databases: how to connect to it, how to claim it for one process, and what its errors mean. */
export interface DatabaseServer {
  /** Its name in messages: the option and the option's value. */
  name: string;
  /** Makes connections when they are needed. */
  connect(purpose: Purpose): Knex;
  /** Connects only to look, where `connect` itself would change something. */
  inspect?(): Knex;
  /** Further connections for reading only; for a database where the connections of `connect` would make readers wait. */
  connectReaders?(): Knex;
  /** Keeps other processes out until it is released; undefined while one of them has the database. */
  claim(): Promise<Claim | undefined>;
  /** What went wrong while opening it, and what to do; undefined for anything unforeseen. */
  refusal(error: unknown): Refusal | undefined;
  /** Further conditions to check before it is used. */
  check?(database: Knex): Promise<Refusal | undefined>;
}

/** Statements that change the schema may take as long as they need; others have a deadline. */
export type Purpose = 'migrate' | 'serve';

export interface Claim {
  /** Calls `lost` when another process has taken the database although this one did not release it. */
  onLost(lost: () => void): void;
  release(): Promise<void>;
}

export interface Refusal {
  message: string;
  /** Whether the problem lasts until somebody changes the configuration or the database. */
  isConfiguration: boolean;
}
