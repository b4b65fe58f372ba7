import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { StartError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { poll } from '../../kernel/poll.ts';
import type { Claim, ProvableClaim } from '../ports/claims.ts';
import { CONNECTOR, type DatabaseServer } from './connect/server.ts';
import { readHolder, writeHolder } from './holder.ts';
import { migrate } from './migrate.ts';

/** Wait of a starting process, in milliseconds, for another one that migrates or is about to end. */
export const CLAIM_WAIT = { everyMs: 200, withinMs: 5_000 };

/**
 * Claims the whole database, for one that is not shared or while it is not.
 * @param refusal makes the error for a database that another process keeps
 * @throws StartError
 */
export async function claimed(server: DatabaseServer, refusal = usedByAnother): Promise<ProvableClaim> {
  const claim = await poll(() => server.claim(CONNECTOR), CLAIM_WAIT);
  if (claim === undefined) throw await refusal(server);
  return claim;
}

/** Returns the error that says which process uses the database. */
export async function usedByAnother(server: DatabaseServer): Promise<StartError> {
  const holder = await using(server, (database) => readHolder(database, server));
  return new StartError(
    `${server.name}: ${holder}; two at once would send everything twice: end that one, or give this one a database of its own`,
  );
}

/** Brings the schema of a claimed database up to date. Returns the names of the steps that ran. */
export function migrated(
  server: DatabaseServer,
  clock: Clock,
  { claim, log }: { claim?: Claim; log?: Logger | undefined } = {},
): Promise<string[]> {
  return using({ connect: (purpose) => server.connect(purpose, claim && forSteps(claim)) }, async (database) => {
    const names = await migrate(database, (steps) => reportSteps(steps, log));
    await writeHolder(database, clock);
    return names;
  });
}

/**
 * Returns the claim for steps of the schema. They may take minutes, and wait for other programs, while they keep this
 * process's own heartbeats from the table of processes: so no doubt about the claim ends them. Their transaction begins with
 * the fence, and as long as it is open, the claim can't be taken.
 */
const forSteps = (claim: Claim): Claim =>
  claim.fence === undefined ? claim : { ...claim, isTrusted: () => true, onDoubt: () => undefined };

/** Logs that steps of the schema begin. */
export const reportSteps = (steps: readonly string[], log: Logger | undefined): void =>
  log?.info(
    { steps },
    'brings the schema of the database up to date; another program that reads it, such as a backup, is waited for',
  );

/** Opens connections for a piece of work and closes them after it. */
export async function using<T>(
  server: Pick<DatabaseServer, 'connect'>,
  work: (database: Knex) => Promise<T>,
): Promise<T> {
  const database = server.connect('migrate');
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
