import type { Knex } from 'knex';
import type { Logger } from '../../../kernel/log.ts';
import type { Claim, Claims } from '../../ports/claims.ts';
import type { OwnRow } from '../hold/process-rows.ts';
import type { SlotKeeper, SlotKeeperOptions } from '../hold/slot-keeper.ts';
import type { Compacted } from './compact.ts';

/** The claim on the whole database. Earlier versions know no other, and keep this one out by the same lock. */
export const CONNECTOR = 'connector';

/** One of the two databases: how to connect to it, how processes share it, and what its errors mean. */
export interface DatabaseServer extends Claims {
  /** Who has the claim on the whole database, as the database itself knows it; undefined where it does not know, or it is free. */
  describeHolder?(database: Knex): Promise<HolderSeen | undefined>;
  /** Its name in messages: the option and the option's value. */
  name: string;
  /** Makes connections when they are needed. @param claim nothing is asked on them while it is not trusted */
  connect(purpose: Purpose, claim?: Claim): Knex;
  /** Connects only to look, where `connect` itself would change something. */
  inspect?(): Knex;
  /** Connects to write what is rolled back, where `connect` itself would change something that stays. */
  connectToTry?(): Knex;
  /** Sees whether there is room for more, where a transaction that is rolled back would not show it. */
  requireRoom?(): void;
  /** Further connections for reading only; for a database where the connections of `connect` would make readers wait. */
  connectReaders?(): Knex;
  /** Joins the processes that share the database, of which one has it; for a database that several can share. */
  join?(own: OwnRow, options: Omit<SlotKeeperOptions, 'membership' | 'sinceBoot'>): SlotKeeper;
  /** What went wrong while opening it, and what to do; undefined for anything unforeseen. */
  refusal(error: unknown): Refusal | undefined;
  /** Work on the database itself before it is used: no other process has it, and what fails must not keep it from being used. */
  prepare?(database: Knex, log: Logger): Promise<void>;
  /** Makes its file smaller, while no other process has it; for a database that does not do that by itself. */
  compact?(): Promise<Compacted>;
  /** Further conditions to check before it is used. */
  check?(database: Knex): Promise<Refusal | undefined>;
}

/** Who has the claim on a database, as its server knows it. */
export interface HolderSeen {
  /** The session with the server, for people. */
  session: string;
  /** The program's own name for the process; undefined where the database does not know it. */
  process: string | undefined;
  /** Whether the session takes itself for one of this program. */
  isConnector: boolean;
}

/** Statements that change the schema may take as long as they need; others have a deadline. */
export type Purpose = 'migrate' | 'serve';

export interface Refusal {
  message: string;
  /** Whether the problem lasts until somebody changes the configuration or the database. */
  isConfiguration: boolean;
}
