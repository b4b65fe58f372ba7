import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { messageOf, StartError } from '../kernel/errors.ts';
import {
  checkStart,
  HELD_PORTS_VARIABLE,
  nodePart,
  portPart,
  type StartPart,
  systemCallsPart,
} from '../kernel/start-check.ts';
import type { Environment, ReadSecret } from './database-choice.ts';
import { isThere } from './doctor/database-check.ts';
import { lookAtAdminSocket } from './doctor/soju-socket-check.ts';
import { installationClaim } from './installation-claim.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import { memoryDatabase } from './store/connect/sqlite.ts';
import { inspectDatabase, requireWritable } from './store/database.ts';
import { readStateKeys } from './store/state-keys.ts';

/** Environment of the check. */
interface CheckSurroundings {
  environment: Environment;
  /** A file of the program. */
  file: string;
}

/** Checks whether the connector could start, and prints a line for each part; returns the exit status. */
export function runCheckStart(
  config: ConnectorConfig,
  readSecret: ReadSecret,
  { environment, file }: CheckSurroundings,
  print: (line: string) => void,
): Promise<number> {
  const { listen, metricsListen, database } = config;
  const held = environment[HELD_PORTS_VARIABLE];
  let secrets: Secrets | undefined;
  const secretsPart: StartPart = {
    name: 'secrets',
    look: () => {
      secrets = readSecrets(config, readSecret, environment);
      return 'can be read';
    },
  };
  const databasePart: StartPart = {
    name: 'database',
    // Without its secrets the database can't be opened; the part `secrets` reports that.
    look: () => (secrets === undefined ? undefined : lookAtDatabase(config, secrets)),
  };
  const parts = [
    nodePart,
    systemCallsPart(file),
    ...('sqlite' in database ? [sqlitePart] : []),
    secretsPart,
    portPart('listen', listen, held),
    ...(metricsListen === undefined ? [] : [portPart('metricsListen', metricsListen, held)]),
    databasePart,
    sojuPart(config),
  ];
  return checkStart(parts, print);
}

const sqlitePart: StartPart = {
  name: 'sqlite3',
  look: async () => {
    const memory = memoryDatabase();
    try {
      const [row]: { version: string }[] = await memory.raw('SELECT sqlite_version() AS version');
      return `loads, SQLite ${row?.version}`;
    } finally {
      await memory.destroy();
    }
  },
};

/** @throws StartError if the connector would not start with this database */
async function lookAtDatabase(config: ConnectorConfig, { database, keys }: Secrets): Promise<string> {
  if (!isThere(database)) {
    if ('sqlite' in database) requireFolder(dirname(database.sqlite.file));
    return 'is made at the first start';
  }
  const { pending } = await inspectDatabase(
    database,
    installationClaim(config, keys ?? readStateKeys(config.stateDirectory)),
  );
  // A migration needs the most room of all: a start without it would fail after the old process has ended.
  await requireWritable(database);
  return pending.length > 0 ? 'can be written; the start brings it up to date' : 'can be written';
}

/** @throws StartError */
function requireFolder(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `database.sqlite.file: no file can be made in ${folder} (${messageOf(error)}): make the folder, and give it to the connector’s account`,
      { cause: error },
    );
  }
}

/** Checks soju as an optional part: the connector starts without it, and keeps trying. */
function sojuPart({ bouncer }: ConnectorConfig): StartPart {
  return {
    name: 'soju',
    isOptional: true,
    look: async () => {
      const { adminSocket } = bouncer.soju;
      const finding = await lookAtAdminSocket(adminSocket);
      if (finding.isOk) return finding.says;
      throw new Error(`this account does not reach it at ${adminSocket}: ${finding.says}`);
    },
  };
}
