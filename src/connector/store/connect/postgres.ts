import { readFileSync } from 'node:fs';
import knex, { type Knex } from 'knex';
import { messageOf, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { Claim } from '../../ports/claims.ts';
import { applicationName } from '../hold/application-name.ts';
import { createBootClock } from '../hold/boot-clock.ts';
import {
  ANSWER_DEADLINE_MS,
  clientUnder,
  PostgresClient,
  SHARE_ANSWER_DEADLINE_MS,
  ShareClient,
  SILENT,
} from './clients.ts';
import { claimPostgres } from './postgres-claim.ts';
import { seeConnections } from './postgres-connections.ts';
import { describeHolder } from './postgres-holder.ts';
import { postgresNotices } from './postgres-notices.ts';
import { CONNECT_DEADLINE_MS, checkSessions, prepareSession } from './postgres-sessions.ts';
import { joinPostgres } from './postgres-slot.ts';
import type { DatabaseServer, Purpose, Refusal } from './server.ts';

export interface PostgresSettings {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string | undefined;
  tls: 'off' | 'verify';
  caFile?: string | undefined;
  poolSize: number;
}

/** Longest wait for a free connection. */
const TURN_DEADLINE_MS = 20_000;
/** Time without traffic after which a connection is probed. */
const KEEP_ALIVE_MS = 15_000;

/** Object ids among PostgreSQL's types: int8, int2, int4, oid, float4, float8. */
const NUMBERS: readonly number[] = [20, 21, 23, 26, 700, 701];
const BOOLEAN = 16;

/**
 * Creates the access to a database on a PostgreSQL server.
 * @param sinceBoot milliseconds from an arbitrary start, with those in which the machine was suspended
 */
export function postgresServer(settings: PostgresSettings, sinceBoot = createBootClock()): DatabaseServer {
  const { database, host, port } = settings;
  return {
    name: `database.postgres: ${database} at ${host} port ${port}`,
    connect: (purpose, claim) =>
      open(
        settings,
        purpose,
        { min: 0, max: settings.poolSize },
        { claim, processId: claim?.fence?.processId ?? claim?.processId },
      ),
    claim: (name) => claimPostgres((ended) => open(settings, 'serve', ONE_SESSION, { ended }), name, sinceBoot),
    describeHolder,
    join: (own, options) =>
      joinPostgres((ended) => open(settings, 'share', ONE_SESSION, { processId: own.processId, ended }), own, {
        ...options,
        sinceBoot,
      }),
    notices: postgresNotices((processId, ended) => open(settings, 'serve', ONE_SESSION, { processId, ended })),
    connections: (database) => seeConnections(database, settings.poolSize),
    refusal: (error) => refusalOf(error, settings),
    check: (database) => check(database, open(settings, 'migrate', ONE_SESSION)),
  };
}

/** Deadlines of answers in milliseconds. Statements about the schema, and a move, have no deadline. */
const ANSWER_DEADLINES: Readonly<Record<Purpose, { query_timeout?: number }>> = {
  serve: { query_timeout: ANSWER_DEADLINE_MS },
  read: { query_timeout: ANSWER_DEADLINE_MS },
  share: { query_timeout: SHARE_ANSWER_DEADLINE_MS },
  migrate: {},
};

function clientFor(purpose: Purpose, claim: Claim | undefined): typeof PostgresClient {
  if (claim !== undefined) return clientUnder(claim);
  return purpose === 'share' ? ShareClient : PostgresClient;
}

/** A pool of one connection. */
const ONE_SESSION: Knex.PoolConfig = { min: 1, max: 1 };

interface Opener {
  /** Called each time that a connection has ended. */
  ended?: () => void;
  claim?: Claim | undefined;
  /** Part of the application name, by which other processes find its connections. */
  processId?: string | undefined;
}

function open(
  settings: PostgresSettings,
  purpose: Purpose,
  pool: Knex.PoolConfig,
  { claim, processId, ended }: Opener = {},
): Knex {
  const { host, port, database, user, password } = settings;
  return knex({
    client: clientFor(purpose, claim),
    // Without a version the library asks for it before the session has our settings, when a limit of the server's may end
    // the question. It matters only to servers before 9.2.
    version: '9.2',
    connection: {
      ...{ host, port, database, user, password, ssl: tlsOf(settings) },
      application_name: processId === undefined ? 'homeport-connector' : applicationName(processId),
      connectionTimeoutMillis: CONNECT_DEADLINE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: { getTypeParser: parserOf },
      ...ANSWER_DEADLINES[purpose],
    } as Knex.PgConnectionConfig,
    compileSqlOnError: false,
    log: SILENT,
    acquireConnectionTimeout: TURN_DEADLINE_MS,
    pool: { ...pool, afterCreate: prepareSession(purpose, ended) },
  });
}

/**
 * Parses numbers: the driver returns 64-bit integers (times, rows, counts) as texts; all of ours fit a number exactly.
 */
function parserOf(type: number): (text: string) => unknown {
  if (type === BOOLEAN) return (text) => text === 't';
  return NUMBERS.includes(type) ? Number : (text) => text;
}

/** @throws StartError when the file can't be read */
function tlsOf({ tls, caFile }: PostgresSettings): false | { ca?: string; rejectUnauthorized: true } {
  if (tls === 'off') return false;
  if (caFile === undefined) return { rejectUnauthorized: true };
  try {
    return { ca: readFileSync(caFile, 'utf8'), rejectUnauthorized: true };
  } catch (error) {
    throw new StartError(`database.postgres.caFile: ${caFile} can’t be read (${messageOf(error)})`, { cause: error });
  }
}

/** @param other is closed */
async function check(database: Knex, other: Knex): Promise<Refusal | undefined> {
  try {
    return (await checkSessions(database, other)) ?? (await checkEncoding(database));
  } finally {
    await other.destroy();
  }
}

/** Refuses other encodings than UTF-8, which could not store every text. */
async function checkEncoding(database: Knex): Promise<Refusal | undefined> {
  const { rows }: { rows: { server_encoding: string }[] } = await database.raw('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return undefined;
  return { message: `its encoding is ${encoding}: make it anew with ENCODING 'UTF8'`, isConfiguration: true };
}

const UNREACHABLE = 'does not answer: see that the server runs and listens there';
const BUSY = 'takes no connections now: the connector starts when it does';

type Remedy = string | ((settings: PostgresSettings) => string);

/** Errors of the server, by SQLSTATE, that last until a person acts. */
const REFUSED: Readonly<Record<string, Remedy>> = {
  '28P01': ({ user }) =>
    `the password of role ${user} is wrong: write the right one into database.postgres.passwordFile`,
  '28000': ({ user }) =>
    `the server does not let role ${user} in: create the role, and see pg_hba.conf for how it may connect`,
  '3D000': ({ database, user }) =>
    `there is no such database: CREATE DATABASE "${database}" OWNER "${user}" ENCODING 'UTF8'`,
  '42501': ({ database, user }) =>
    `role ${user} may not make tables there: ALTER DATABASE "${database}" OWNER TO "${user}"`,
  '25006': 'it can be read only: name the primary server, not a standby',
};

/** Errors that may pass soon. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '53100': 'the server’s disk is full: free space there',
  '53300': 'the server has no connection left: raise its max_connections, or lower database.postgres.poolSize',
  '53400': 'a limit of the server is reached, such as temp_file_limit: raise it',
  '55P03': 'another session locks a table there for long: see which one in pg_locks',
  '57014': 'a statement took too long: see what keeps the server busy',
  '57P03': BUSY,
  '57P01': BUSY,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOENT: 'has no socket there: see that the server runs, and in which directory its socket is',
  EACCES: 'its socket may not be used by the connector’s account',
  ENOTFOUND: 'the host is not known: see database.postgres.host',
  EAI_AGAIN: 'the host’s name can’t be looked up now',
};

/** Errors of the driver itself, which have no code. */
const WORDS: readonly { words: RegExp; message: string; isConfiguration: boolean }[] = [
  {
    words:
      /timeout expired|Connection (?:terminated|ended)|is not queryable|Query read timeout|acquir\w+ a connection|The claim on the database/,
    message: UNREACHABLE,
    isConfiguration: false,
  },
  {
    words: /password must be a string/,
    message: 'the server asks for a password: write it into a file and name it in database.postgres.passwordFile',
    isConfiguration: true,
  },
  {
    words: /does not support SSL/,
    message: 'the server has no TLS: set database.postgres.tls to "off"',
    isConfiguration: true,
  },
  {
    words: /certificate|altnames/,
    message:
      'its certificate is not trusted: name its authority in database.postgres.caFile, and use the host name that the certificate has',
    isConfiguration: true,
  },
];

function refusalOf(error: unknown, settings: PostgresSettings): Refusal | undefined {
  const code = systemCodeOf(error) ?? '';
  const remedy = REFUSED[code];
  if (remedy !== undefined)
    return { message: typeof remedy === 'string' ? remedy : remedy(settings), isConfiguration: true };
  const message = UNAVAILABLE[code];
  if (message !== undefined) return { message, isConfiguration: false };
  return WORDS.find(({ words }) => words.test(messageOf(error)));
}
