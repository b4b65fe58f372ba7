import type { Knex } from 'knex';
import type { Logger } from '../../../kernel/log.ts';
import type { Claim, Claims } from '../../ports/claims.ts';
import type { OwnRow } from '../hold/process-rows.ts';
import type { SlotKeeper, SlotKeeperOptions } from '../hold/slot-keeper.ts';
import type { Compacted } from './compact.ts';
import type { NoticeServer } from './postgres-notices.ts';

/**
 * Name of the claim on the whole database. Earlier versions know only this one, and keep this version out by the same
 * lock.
 */
export const CONNECTOR = 'connector';

/** One of the two databases: how to connect to it, how processes share it, and what its errors mean. */
export interface DatabaseServer extends Claims {
  /**
   * Returns the holder of the claim on the whole database; undefined if the database does not know it, or the claim is
   * free.
   */
  describeHolder?(database: Knex): Promise<HolderSeen | undefined>;
  /** Its name in messages: the option and the option's value. */
  name: string;
  /** Makes connections when they are needed. @param claim the connections run no statement while it is not trusted */
  connect(purpose: Purpose, claim?: Claim): Knex;
  /** Connects only to look, if `connect` itself would change the database. */
  inspect?(): Knex;
  /** Connects to write and roll back, if `connect` itself would make lasting changes. */
  connectToTry?(): Knex;
  /** Checks for free room, if a transaction that is rolled back would not show it. */
  requireRoom?(): void;
  /** Opens further connections for reading only, if readers would have to wait for those of `connect`. */
  connectReaders?(): Knex;
  /** Joins the processes that share the database, one of which holds it; for a database that can be shared. */
  join?(own: OwnRow, options: Omit<SlotKeeperOptions, 'membership' | 'sinceBoot'>): SlotKeeper;
  /** How processes that share the database tell each other what has changed; for a database that can be shared. */
  notices?: NoticeServer;
  /** Reads how many connections its server has for this program; for a database on a server. */
  connections?(database: Knex): Promise<ConnectionsSeen>;
  /** Explains an error of opening it, with a remedy; undefined for an unforeseen error. */
  refusal(error: unknown): Refusal | undefined;
  /** Prepares the database before use: no other process has it. Failures must not keep it from being used. */
  prepare?(database: Knex, log: Logger): Promise<void>;
  /** Makes its file smaller, while no other process has it; for a database that does not do that by itself. */
  compact?(): Promise<Compacted>;
  /** Checks further conditions before it is used. */
  check?(database: Knex): Promise<Refusal | undefined>;
}

/** Connections of a server, at one moment. */
export interface ConnectionsSeen {
  /** Most that a process opens, and as many more while it takes over from another one. */
  perProcess: number;
  inTakeover: number;
  /** Number that is left for all processes of this program, of which these are the reasons. */
  room: number;
  max: number;
  /** Number that this role may not use. */
  reserved: number;
  /** Number that other programs have open now. */
  others: number;
  roleMax: number | undefined;
  databaseMax: number | undefined;
  /** Whether each role of the server may connect to the database. */
  isOpenToAll: boolean;
  /** Whether there are such roles, which may also make functions and operators that statements of this program use. */
  isWritableByAll: boolean;
  /** Whether the server is reached by a pooler. */
  isPooled: boolean;
}

/** Holder of the claim on a database, as its server knows it. */
export interface HolderSeen {
  /** The session with the server, for people. */
  session: string;
  /** The program's own name for the process; undefined if the database does not know it. */
  process: string | undefined;
  /** Whether the session's application name is one of this program. */
  isConnector: boolean;
}

/**
 * Statements that change the schema have no deadline; others have one. Transactions of a process without the slot, to
 * read and to accept sends, may be idle for a shorter time: a frozen one keeps the others waiting. Statements about the slot have the shortest:
 * their locks keep every process out.
 */
export type Purpose = 'migrate' | 'serve' | 'read' | 'share';

export interface Refusal {
  message: string;
  /** Whether the problem lasts until a person changes the configuration or the database. */
  isConfiguration: boolean;
}
