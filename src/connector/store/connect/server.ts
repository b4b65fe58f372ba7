import type { Knex } from 'knex';

/** One of the two databases: how it is reached, kept for one process, and what its failures mean. */
export interface DatabaseServer {
  /** How messages name it: the option and what it is set to. */
  name: string;
  /** Makes connections when they are needed. */
  connect(purpose: Purpose): Knex;
  /** Further connections that only read, where those of `connect` would keep readers waiting. */
  connectReaders?(): Knex;
  /** Keeps other processes out until it is released; undefined while one of them has the database. */
  claim(): Promise<Claim | undefined>;
  /** What went wrong while opening it, and what to do; undefined for anything unforeseen. */
  refusal(error: unknown): Refusal | undefined;
  /** Whatever else must be so before it is used. */
  check?(database: Knex): Promise<Refusal | undefined>;
}

/** Statements that change the schema may take as long as they need; others have a deadline. */
export type Purpose = 'migrate' | 'serve';

export interface Claim {
  /** Tells when another process has the database although this one did not release it. */
  onLost(lost: () => void): void;
  release(): Promise<void>;
}

export interface Refusal {
  message: string;
  /** Whether it stays so until somebody changes the configuration or the database. */
  isConfiguration: boolean;
}
