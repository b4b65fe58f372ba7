import type { Knex } from 'knex';
import type { PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import { resetConnection } from './clients.ts';
import type { Purpose, Refusal } from './server.ts';

/** How long a server may take to let a connection in, and to take its settings. */
export const CONNECT_DEADLINE_MS = 5_000;
/** After these times the server ends a statement, an idle transaction, and a wait for a lock. */
const STATEMENT_DEADLINE_MS = 20_000;
const IDLE_TRANSACTION_DEADLINE_MS = 30_000;
const LOCK_DEADLINE_MS = 5_000;
/** After 15 s without a packet the server probes this process three times; if it is gone, another process may take over. */
const KEEP_ALIVE = { tcp_keepalives_idle: '15', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' };

/** Settings of each session, by the purpose that it is opened for. Numbers are milliseconds. */
const SESSION_SETTINGS: Readonly<Record<Purpose, Readonly<Record<string, string>>>> = {
  /**
   * Every query of the service has an index and takes one or two milliseconds. By default the planner assumes that an
   * account's entries are spread evenly, and reads a table of a million rows to find a few; and it spends seventy
   * milliseconds on compiling queries that it expects to be slow.
   */
  serve: {
    ...KEEP_ALIVE,
    enable_seqscan: 'off',
    jit: 'off',
    statement_timeout: `${STATEMENT_DEADLINE_MS}`,
    lock_timeout: `${LOCK_DEADLINE_MS}`,
    idle_in_transaction_session_timeout: `${IDLE_TRANSACTION_DEADLINE_MS}`,
  },
  /** A statement about the schema, and a move that reads everything at one moment, take longer than a server's own settings may allow. */
  migrate: { ...KEEP_ALIVE, statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' },
};

/** Not every version of the server has these: a claim is a session that rests, and a move reads in one long transaction. */
const UNLIMITED: Readonly<Record<Purpose, readonly string[]>> = {
  serve: ['idle_session_timeout'],
  migrate: ['idle_session_timeout', 'transaction_timeout'],
};

/**
 * For a pool of connections: gives each new session its settings. They are not sent with the connection's start, because a
 * pooler refuses settings there. @param ended is called when a session has ended
 */
export function prepareSession(purpose: Purpose, ended: () => void = () => undefined) {
  const known = Object.entries(SESSION_SETTINGS[purpose]).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  const unlimited = UNLIMITED[purpose].map((name) => `'${name}'`);
  // Behind the others, because the server may give a statement little time until then.
  const text = `SELECT ${known}; SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (${unlimited})`;
  return (session: PostgresConnection, done: (error?: Error) => void): void => {
    session.once('end', ended);
    session.query({ text, query_timeout: CONNECT_DEADLINE_MS }).then(
      () => done(),
      (error: Error) => {
        // The pool forgets a connection that it could not prepare, and leaves it open.
        resetConnection(session);
        done(error);
      },
    );
  };
}

const MARK = 'homeport.session';

/**
 * Refuses a pooler that gives each statement a session of another client: locks and settings belong to sessions. An idle
 * pooler shows it, because it hands out again the session that it got back last. @param other has connections of its own
 */
export async function checkSessions(database: Knex, other: Knex): Promise<Refusal | undefined> {
  await database.raw(`SELECT set_config('${MARK}', 'marked', false)`);
  const { rows }: { rows: { mark: string | null }[] } = await other.raw(
    `SELECT current_setting('${MARK}', true) AS mark`,
  );
  if (rows[0]?.mark !== 'marked') return undefined;
  return {
    message:
      'is reached by a pooler that changes the session between statements: set its pool_mode to session, or name the server itself',
    isConfiguration: true,
  };
}
