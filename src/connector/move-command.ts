import { join, resolve } from 'node:path';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { EXIT_CONFIG, onOneLine, StartError } from '../kernel/errors.ts';
import { printedJson } from '../kernel/printed-json.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';
import { createMoveReport } from './move-progress.ts';
import type { Keys } from './ports/keys.ts';
import { readKeys } from './secrets.ts';
import { actAsStateOwner } from './state-owner.ts';
import { createSeal } from './store/aes-seal.ts';
import type { DatabaseChoice } from './store/connect/index.ts';
import type { PostgresSettings } from './store/connect/postgres.ts';
import { moveDatabase } from './store/move/move.ts';
import { readStateKeys } from './store/state-keys.ts';

export interface MoveWords {
  from: string | undefined;
  to: string | undefined;
  /** Whether it only prints the steps of the move. */
  isDryRun: boolean;
  /** Whether it prints the outcome as JSON, and all else to standard error. */
  isJson: boolean;
}

/** Exit status of bad usage; EX_USAGE of sysexits(3). */
const EXIT_USAGE = 64;
const SQLITE = 'sqlite:';
const POSTGRES = 'postgres:';
/** Interval of the ticks that let the progress be redrawn while no row is done. */
const TICK_MS = 500;
/** Connections of a move. */
const POOL_SIZE = 2;
const POSTGRES_PORT = 5432;

const FORM =
  'sqlite:FILE, sqlite: for the connector.db of the state directory, postgres://ROLE@HOST:PORT/DATABASE, or postgres: for the configured one';

/** Moves an installation to a database of the other kind and shows the progress; returns the exit status. @throws StartError */
export async function runMove(config: ConnectorConfig, words: MoveWords, readSecret: ReadSecret): Promise<number> {
  const { from, to, file } = endsOf(config, words, readSecret);
  const keys = keysFor(config, readSecret);
  if (!actAsStateOwner(config, { sqlite: { file } })) {
    throw new StartError(
      `${file}: only root and the service itself can reach it: stop the service, and name a file in a directory of the account that the PostgreSQL server knows, to or from which you copy it`,
    );
  }
  const report = createMoveReport(words.isJson ? process.stderr : process.stdout, () => systemClock.monotonic());
  const ticking = setInterval(() => report.tick(), TICK_MS).unref();
  try {
    const seal = createSeal(keys.sealKey, keys.earlierSealKeys);
    await moveDatabase({ from, to, seal, clock: systemClock, isDryRun: words.isDryRun, report });
  } finally {
    clearInterval(ticking);
    report.end();
  }
  const next = nextStep(words.to ?? '', to);
  if (words.isJson) {
    const outcome = { moved: !words.isDryRun, database: configured(to), ...(words.isDryRun ? {} : { next }) };
    process.stdout.write(`${printedJson(outcome)}\n`);
  } else if (!words.isDryRun) process.stdout.write(`${next}\n`);
  return 0;
}

/** Returns both databases, and the file that is one of them. @throws StartError */
function endsOf(config: ConnectorConfig, words: MoveWords, readSecret: ReadSecret) {
  const { from: fromWord, to: toWord } = words;
  if (fromWord === undefined || toWord === undefined) {
    const given = [...(fromWord === undefined ? [] : ['--from']), ...(toWord === undefined ? [] : ['--to'])];
    throw usage(`migrate: expected both --from and --to, received ${given[0] ?? '--dry-run'} only`);
  }
  const from = databaseOf('--from', fromWord, config, readSecret);
  const to = databaseOf('--to', toWord, config, readSecret);
  const [file, ...others] = [from, to].flatMap((choice) => ('sqlite' in choice ? [choice.sqlite.file] : []));
  if (file !== undefined && others.length === 0) return { from, to, file };
  const remedy = file === undefined ? 'pg_dump and pg_restore copy' : 'copying the file moves';
  throw usage(
    `migrate: expected one database of SQLite and one of PostgreSQL, received two of one kind: ${remedy} such a one`,
  );
}

/** @throws StartError */
function keysFor({ keysFile, stateDirectory }: ConnectorConfig, readSecret: ReadSecret): Keys {
  const keys = keysFile === undefined ? readStateKeys(stateDirectory) : readKeys(keysFile, readSecret);
  if (keys !== undefined) return keys;
  throw new StartError(
    `stateDirectory: ${stateDirectory} has no keys.json, without which nothing that is encrypted in the database opens: name the state directory of that installation, or its keys in keysFile`,
    { exitStatus: EXIT_CONFIG },
  );
}

function nextStep(word: string, to: DatabaseChoice): string {
  if (word === POSTGRES) return 'start homeport-connector: it uses the new database';
  return `name the new database in the configuration, as in ${JSON.stringify({ database: configured(to) })}, then start homeport-connector`;
}

function configured(choice: DatabaseChoice): unknown {
  if ('sqlite' in choice) return choice;
  const { host, port, database, user, tls, caFile } = choice.postgres;
  return { postgres: { host, port, database, user, ...(tls === 'off' ? {} : { tls, caFile }) } };
}

/** The database that a word names. @throws StartError */
function databaseOf(option: string, word: string, config: ConnectorConfig, readSecret: ReadSecret): DatabaseChoice {
  if (word.startsWith(SQLITE)) return { sqlite: { file: fileOf(word.slice(SQLITE.length), config) } };
  return { postgres: { ...serverOf(option, word, config, readSecret), poolSize: POOL_SIZE } };
}

function fileOf(name: string, { database, stateDirectory }: ConnectorConfig): string {
  if (name !== '') return resolve(name);
  const configuredFile = 'sqlite' in database ? database.sqlite.file : undefined;
  return configuredFile ?? join(stateDirectory, 'connector.db');
}

/** Returns the server that a word names; missing parts come from the configured database. @throws StartError */
function serverOf(option: string, word: string, config: ConnectorConfig, readSecret: ReadSecret): PostgresSettings {
  const choice = databaseChoice(config, readSecret);
  const own = 'postgres' in choice ? choice.postgres : undefined;
  if (word === POSTGRES) {
    if (own !== undefined) return own;
    throw new StartError(
      `${option}: postgres: alone is the configured database, and that is SQLite: expected database.postgres in the configuration, or a name such as postgres://ROLE@HOST:PORT/DATABASE`,
      { exitStatus: EXIT_CONFIG },
    );
  }
  const url = urlOf(option, word);
  const { tls = 'off', caFile, password } = own ?? {};
  return { ...placeOf(option, url), ...tlsOf(option, url, { tls, caFile }), password, poolSize: POOL_SIZE };
}

function urlOf(option: string, word: string): URL {
  const isNamed = /^(postgres|postgresql):\/\//.test(word);
  const url = isNamed ? URL.parse(word) : null;
  if (url === null) throw usage(`${option}: expected ${FORM}, received ${schemeOf(word)}`);
  if (url.password !== '' || url.searchParams.has('password')) {
    throw usage(
      `${option}: expected no password, because everybody on this machine can see arguments: name a file with it in database.postgres.passwordFile, or in the variable PGPASSFILE`,
    );
  }
  // Text after a question mark may be a part of a password that has one, so it is not printed.
  if ([...url.searchParams.keys()].some((name) => !['host', 'sslmode', 'sslrootcert'].includes(name))) {
    throw usage(`${option}: expected no parameters but host, sslmode and sslrootcert, received another one`);
  }
  return url;
}

function placeOf(option: string, url: URL): Pick<PostgresSettings, 'host' | 'port' | 'database' | 'user'> {
  const host = url.searchParams.get('host') ?? decoded(option, url.hostname).replace(/^\[(.*)\]$/, '$1');
  const [user, database] = [decoded(option, url.username), decoded(option, url.pathname.slice(1))];
  const lacking = Object.entries({ ROLE: user, HOST: host, DATABASE: database }).find(([, value]) => value === '');
  if (lacking !== undefined) throw usage(`${option}: expected ${FORM}, received one without ${lacking[0]}`);
  return { host, port: url.port === '' ? POSTGRES_PORT : Number(url.port), database, user };
}

/**
 * Reads the encryption of an address in libpq's words: `verify-full` accepts only the server with the right
 * certificate.
 */
function tlsOf(
  option: string,
  url: URL,
  configured: Pick<PostgresSettings, 'tls' | 'caFile'>,
): Pick<PostgresSettings, 'tls' | 'caFile'> {
  const [mode, caFile] = [url.searchParams.get('sslmode'), url.searchParams.get('sslrootcert') ?? configured.caFile];
  if (mode === null && configured.tls === 'off' && url.searchParams.has('sslrootcert')) {
    throw usage(`${option}: expected sslmode=verify-full beside sslrootcert, because nothing is encrypted without it`);
  }
  if (mode === null) return { tls: configured.tls, caFile };
  if (mode === 'disable') return { tls: 'off' };
  if (mode === 'verify-full') return { tls: 'verify', caFile };
  throw usage(`${option}: expected sslmode disable or verify-full, received another one`);
}

function decoded(option: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The parser's message does not name the option.
    throw usage(`${option}: expected % only before two digits of hexadecimal, received another one`);
  }
}

/** Returns enough of a name to recognise it, without a part that could be a password. */
const schemeOf = (name: string): string =>
  /^[a-z]+:/.test(name) ? `a name that begins with ${name.replace(/:.*$/s, ':')}` : 'another name';

const usage = (message: string): StartError => new StartError(onOneLine(message), { exitStatus: EXIT_USAGE });
