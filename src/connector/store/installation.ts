import type { Knex } from 'knex';
import type { Seal } from '../ports/seal.ts';
import type { KeyedSeal } from './aes-seal.ts';
import { checkWithNewest, isCheckOpened, newCheck } from './installation-check.ts';
import { refuseHalfMoved } from './migrate.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

/** Installation that a database belongs to, as it is recorded there. */
export interface Installation {
  baseUrl: string;
  /** Issuer of the identity provider. */
  issuer: string;
  /** Names of the IRC networks, the first for accounts that have chosen none. */
  networks: readonly string[];
}

/** The database does not belong to the keys or to the base address of this configuration. */
export class WrongInstallation extends Error {}

export interface InstallationClaim {
  /** Undefined if no keys exist yet. */
  seal: Seal | undefined;
  /** The option or the file that holds the keys, for messages. */
  keysAt: string;
  baseUrl: string;
  /** The base address that the installation had before, if it is to change. */
  previousBaseUrl: string | undefined;
}

interface InstallationRow {
  name: string;
  check_sealed: string;
  base_url: string;
  issuer: string;
  networks: string;
}

const TABLE = 'installation';
const NAME = 'connector';
const PLACE = `${TABLE}/${NAME}`;

/** Most encrypted texts of each kind that are tried if no row exists yet. */
const TRIED_TEXTS = 20;

/**
 * Refuses keys that open no text of the database, and another base address. Works with any earlier schema, so that a
 * wrong database is not even migrated.
 * @throws WrongInstallation, HalfMoved
 */
export async function requireOwnInstallation(database: Knex, claim: InstallationClaim): Promise<void> {
  // A partly moved installation may lack the texts that the keys open.
  await refuseHalfMoved(database);
  const row = await readRow(database);
  const opened = row === undefined ? await isAnyOpened(database, claim.seal) : isOpened(claim.seal, row);
  if (!opened) throw new WrongInstallation(keysMessage(claim));
  const { baseUrl, previousBaseUrl } = claim;
  if (row === undefined || row.base_url === baseUrl || row.base_url === previousBaseUrl) return;
  throw new WrongInstallation(
    `belongs to the connector at ${row.base_url}, and baseUrl is ${baseUrl}: name the database of this address, or set baseUrl to ${row.base_url}; to give this installation the new address on purpose, set previousBaseUrl to ${row.base_url}`,
  );
}

const keysMessage = ({ seal, keysAt }: InstallationClaim): string =>
  seal === undefined
    ? `has encrypted contents, and ${keysAt} does not exist: restore the keys that belong to this database, or name an empty database`
    : `is encrypted with other keys than those of ${keysAt}: restore the keys that belong to this database, or name the database that belongs to these keys; where other processes serve on it, copy the keys of one of them`;

/**
 * Returns the fingerprint of the key with which the processes on the database encrypt; undefined before the first
 * start. @throws Error if the seal lacks it
 */
export async function keyInUse(database: Knex, seal: KeyedSeal): Promise<string | undefined> {
  const row = await readRow(database);
  return row === undefined ? undefined : keyOfCheck(seal, row.check_sealed);
}

/** Returns the fingerprint of the key that has encrypted the check last. @throws Error if the seal lacks it */
export const keyOfCheck = (seal: KeyedSeal, sealed: string): string => seal.idOf(sealed, PLACE);

/** Records that the processes encrypt with the key that the seal closes with, before one of them does. */
export async function recordKeyInUse(database: Knex, seal: Seal): Promise<void> {
  const row = await readRow(database);
  const check = row === undefined ? undefined : checkWithNewest(seal, row.check_sealed, PLACE);
  if (check !== undefined) await database<InstallationRow>(TABLE).where({ name: NAME }).update({ check_sealed: check });
}

async function readRow(database: Knex): Promise<InstallationRow | undefined> {
  if (!(await database.schema.hasTable(TABLE))) return undefined;
  return database<InstallationRow>(TABLE).where({ name: NAME }).first();
}

const isOpened = (seal: Seal | undefined, row: InstallationRow): boolean =>
  seal !== undefined && isCheckOpened(seal, row.check_sealed, PLACE);

/** Whether the keys open one of the newest encrypted texts; true if there is no text. A single text may be damaged. */
async function isAnyOpened(database: Knex, seal: Seal | undefined): Promise<boolean> {
  let isEmpty = true;
  for (const { table, column, keys, placeOf } of SEALED_COLUMNS) {
    if (table === TABLE || !(await database.schema.hasTable(table))) continue;
    if (!(await database.schema.hasColumn(table, column))) continue;
    const rows: Record<string, string>[] = await database(table)
      .whereNot(column, '')
      .orderBy([...keys])
      .limit(TRIED_TEXTS)
      .select(...keys, column);
    for (const row of rows) {
      isEmpty = false;
      try {
        seal?.open(row[column] ?? '', placeOf(row));
        if (seal !== undefined) return true;
      } catch {
        // The next one may open.
      }
    }
  }
  return isEmpty;
}

/**
 * Records the owner of the database, before a text is encrypted for it. Returns the previous record, if that differs.
 */
export async function recordInstallation(
  database: Knex,
  seal: Seal,
  { baseUrl, issuer, networks }: Installation,
): Promise<Installation | undefined> {
  const found = await readRow(database);
  const before = found === undefined ? undefined : installationIn(found);
  const row = { base_url: baseUrl, issuer, networks: JSON.stringify(networks) };
  if (found === undefined || before === undefined) {
    await database<InstallationRow>(TABLE).insert({ name: NAME, check_sealed: newCheck(seal, PLACE), ...row });
    return undefined;
  }
  await recordKeyInUse(database, seal);
  const isSame =
    before.baseUrl === baseUrl && before.issuer === issuer && JSON.stringify(before.networks) === row.networks;
  if (isSame) return undefined;
  await database<InstallationRow>(TABLE).where({ name: NAME }).update(row);
  return before;
}

/** Returns undefined if no connector has started on the database since it has this table. */
export async function readInstallation(database: Knex): Promise<Installation | undefined> {
  const row = await readRow(database);
  return row === undefined ? undefined : installationIn(row);
}

const installationIn = ({ base_url: baseUrl, issuer, networks }: InstallationRow): Installation => ({
  ...{ baseUrl, issuer },
  networks: JSON.parse(networks) as string[],
});
