import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import { systemCodeOf } from '../../../kernel/errors.ts';
import { resetConnection } from './clients.ts';
import type { Purpose, Refusal } from './server.ts';

/** Longest time in which a server accepts a connection, and in which it takes the session's settings. */
export const CONNECT_DEADLINE_MS = 5_000;
/** Times after which the server ends a statement, an idle transaction, and a wait for a lock. */
const STATEMENT_DEADLINE_MS = 20_000;
const IDLE_TRANSACTION_DEADLINE_MS = 30_000;
const LOCK_DEADLINE_MS = 5_000;
/** Same deadline for an idle transaction of a process without the slot: its locks keep the one that has it waiting. */
const READER_IDLE_TRANSACTION_DEADLINE_MS = 5_000;
/**
 * Same deadline for the session that takes the slot: while it has the slot's lock, no process can write or take over.
 */
const SHARE_STATEMENT_DEADLINE_MS = 8_000;
/** Wait of a heartbeat for a lock: shorter than for its answer, so that the server names the lock and the connection stays. */
const SHARE_LOCK_DEADLINE_MS = 2_000;
/** After 15 s without a packet the server probes this process three times; if it is gone, another process may take over. */
const KEEP_ALIVE = { tcp_keepalives_idle: '15', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' };

/**
 * A database or a role may have another default for other programs. Then a transaction would see, after a wait for a
 * lock, the state from before the wait: also the former owner of the slot.
 */
const ISOLATION = { default_transaction_isolation: 'read committed' };

/**
 * Each query of the service uses an index and takes one or two milliseconds. The planner's defaults assume that an
 * account's entries are spread evenly, read a table of a million rows to find a few, and spend seventy milliseconds on
 * compiling queries that look slow.
 */
const BY_INDEX = { enable_seqscan: 'off', jit: 'off' };

const SERVE = {
  ...KEEP_ALIVE,
  ...ISOLATION,
  ...BY_INDEX,
  statement_timeout: `${STATEMENT_DEADLINE_MS}`,
  lock_timeout: `${LOCK_DEADLINE_MS}`,
  idle_in_transaction_session_timeout: `${IDLE_TRANSACTION_DEADLINE_MS}`,
};

/** Settings of each session, by the purpose that it is opened for. Numbers are milliseconds. */
const SESSION_SETTINGS: Readonly<Record<Purpose, Readonly<Record<string, string>>>> = {
  serve: SERVE,
  read: { ...SERVE, idle_in_transaction_session_timeout: `${READER_IDLE_TRANSACTION_DEADLINE_MS}` },
  share: {
    ...KEEP_ALIVE,
    ...ISOLATION,
    ...BY_INDEX,
    statement_timeout: `${SHARE_STATEMENT_DEADLINE_MS}`,
    lock_timeout: `${SHARE_LOCK_DEADLINE_MS}`,
    idle_in_transaction_session_timeout: `${IDLE_TRANSACTION_DEADLINE_MS}`,
  },
  /** A statement about the schema, and a move with one snapshot, take longer than a server's own settings may allow. */
  migrate: {
    ...KEEP_ALIVE,
    ...ISOLATION,
    statement_timeout: '0',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  },
};

/**
 * Enables commits that survive a crash, if a database or role has disabled them for other programs. Otherwise a crash
 * would lose an acknowledged commit, such as a sent line, and the line would be said again. Any stronger choice stays.
 */
const DURABLE = `SELECT set_config('synchronous_commit', 'local', false) WHERE current_setting('synchronous_commit') = 'off'`;

/**
 * Deadlines that not every version of the server has: a claim is an idle session, and a move reads in one long
 * transaction.
 */
const UNLIMITED: Readonly<Record<Purpose, readonly string[]>> = {
  serve: ['idle_session_timeout'],
  read: ['idle_session_timeout'],
  share: ['idle_session_timeout'],
  migrate: ['idle_session_timeout', 'transaction_timeout'],
};

/**
 * Returns a pool's hook that gives each new session its settings. They are not sent with the connection's start,
 * because a pooler refuses settings there.
 * @param ended is called when a session has ended
 */
export function prepareSession(purpose: Purpose, ended: () => void = () => undefined) {
  const known = Object.entries(SESSION_SETTINGS[purpose]).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  const unlimited = UNLIMITED[purpose].map((name) => `'${name}'`);
  // The server may limit a statement's time, until the first one here has changed that; the limits of 0 come after it.
  const first = `SELECT set_config('statement_timeout', '${SESSION_SETTINGS[purpose]['statement_timeout']}', false)`;
  const text = `${first}; SELECT ${known}; SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (${unlimited}); ${DURABLE}`;
  return (session: PostgresConnection, done: (error?: Error) => void): void => {
    session.once('end', ended);
    setUp(session, text, performance.now() + CONNECT_DEADLINE_MS).then(
      () => done(),
      (error: Error) => {
        // The pool drops a connection that it could not prepare, without closing it.
        resetConnection(session);
        done(error);
      },
    );
  };
}

/** SQLSTATE of a cancelled statement. */
const QUERY_CANCELED = '57014';

/** Sends the settings, again where the server cancels them: a limit of a millisecond is often over on a busy machine. */
async function setUp(session: PostgresConnection, text: string, endsAt: number): Promise<void> {
  for (;;) {
    try {
      await session.query({ text, query_timeout: CONNECT_DEADLINE_MS });
      return;
    } catch (error) {
      if (performance.now() > endsAt || systemCodeOf(error) !== QUERY_CANCELED) throw error;
    }
  }
}

const MARK = 'homeport.session';
const MARK_BYTES = 8;
/** Repeated looks at a session: a pooler may rotate its sessions. */
const LOOKS = 4;

/**
 * Refuses a pooler that changes the session between statements: locks and settings belong to sessions. An idle pooler
 * reuses the session that it got back last, so another client sees the first one's settings. A busy pooler, or one that
 * rotates, gives the first client another session.
 * @param other has connections of its own
 */
export async function checkSessions(database: Knex, other: Knex): Promise<Refusal | undefined> {
  // New each time, because a pooler may keep it.
  const mark = randomBytes(MARK_BYTES).toString('hex');
  const isMarked = async (session: Knex, connection?: unknown): Promise<boolean> => {
    const asked = session.raw(`SELECT current_setting('${MARK}', true) AS mark`);
    const { rows }: { rows: { mark: string | null }[] } = await (connection === undefined
      ? asked
      : asked.connection(connection));
    return rows[0]?.mark === mark;
  };
  const connection: unknown = await database.client.acquireConnection();
  try {
    await database.raw(`SELECT set_config('${MARK}', ?, false)`, [mark]).connection(connection);
    // Occupies one session meanwhile.
    const isShared = await other.transaction(
      async (transaction) => (await isMarked(transaction)) || !(await isMarked(database, connection)),
    );
    let isKept = !isShared;
    for (let look = 0; look < LOOKS && isKept; look += 1) isKept = await isMarked(database, connection);
    return isKept ? undefined : POOLED;
  } finally {
    await database.client.releaseConnection(connection);
  }
}

const POOLED: Refusal = {
  message:
    'is reached by a pooler that changes the session between statements: set its pool_mode to session, or name the server itself',
  isConfiguration: true,
};
