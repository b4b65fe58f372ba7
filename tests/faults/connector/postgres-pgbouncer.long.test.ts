import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import knex from 'knex';
import { expect, inject, onTestFinished } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { freezeInTransaction } from '../../harness/freeze-in-transaction.ts';
import { needs } from '../../harness/needs.ts';
import { type PgBouncer, startPgBouncer } from '../../harness/pgbouncer.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { connectorCommand, startConnectorStack, writeConfig } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase, type TestDatabase } from '../../harness/test-database.ts';

needs('PgBouncer')(
  'behind a PgBouncer in session mode a process that dies, and one that is frozen, are taken over: nothing is lost or doubled',
  async () => {
    const { server, own } = await serverOfRun();
    const { host, port } = await poolerBefore(server, 'session', ['application_name_add_host = 1']);
    const database = { ...own, config: { postgres: { ...own.config.postgres, host, port } } } as typeof own;
    await using stack = await startConnectorStack({ database });
    await using pair = await StandbyPair.start(stack);
    const before = pair.movements();

    await pair.say('before the crash');
    pair.serving.process.kill('SIGKILL');
    pair.bob.say('#room', 'said while none served');
    await pair.takeOver();
    await pair.stored('said while none served');
    await pair.say('after the crash');
    await pair.replace();

    const frozen = pair.serving.process;
    const name = await holderName(own);
    await freezeInTransaction(pair, 'said while it was frozen');
    await pair.takeOver();
    expect(await sessionsCalled(own, name)).toBe(0);
    await pair.stored('said while it was frozen');
    frozen.kill('SIGCONT');
    expect((await frozen.ended).exitCode).toBe(1);
    await pair.say('after it woke');

    const counts = await pair.counts([
      ...['before the crash', 'after the crash', 'after it woke'],
      ...['said while none served', 'said while it was frozen'],
    ]);
    expect(Object.values(counts)).toEqual([
      ...Array.from({ length: 3 }, () => ({ stored: 1, heard: 1 })),
      ...Array.from({ length: 2 }, () => ({ stored: 1, heard: 0 })),
    ]);
    expect(pair.movements()).toBe(before);
  },
);

needs('PgBouncer')('a PgBouncer in transaction mode is refused in one line, before a lock is left in it', async () => {
  const { server, own } = await serverOfRun();
  const { host, port } = await poolerBefore(server, 'transaction');
  await using stack = await startConnectorStack({ database: own });
  await stack.connector.stop();
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  const database = { postgres: { ...own.config.postgres, host, port } };
  const file = await writeConfig(join(stack.folder, 'pooled'), { ...config, database });

  for (const command of ['run', 'migrate']) {
    const [program, ...args] = connectorCommand(file, command);
    const { exitCode, stderr } = await execa(program, args, { reject: false, timeout: 60_000 });
    expect([exitCode, stderr.trim().split('\n').length]).toEqual([78, 1]);
    expect(stderr).toContain('pool_mode');
  }

  await stack.revive('connector');
  expect((await fetch(`${stack.baseUrl}/healthz`)).ok).toBe(true);
});

needs('PgBouncer')('so is one that hands its sessions out by turns, and one that is busy', async () => {
  const { server, own } = await serverOfRun();
  await using stack = await startConnectorStack({ database: own });
  await stack.connector.stop();
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  for (const [name, settings] of [
    ['by-turns', ['server_round_robin = 1']],
    ['busy', []],
  ] as const) {
    const { host, port } = await poolerBefore(server, 'transaction', settings);
    const database = { postgres: { ...own.config.postgres, host, port } };
    const file = await writeConfig(join(stack.folder, name), { ...config, database });
    const [program, ...args] = connectorCommand(file, 'migrate');
    await using others = await otherClients({ ...own, config: database } as typeof own, name === 'busy');

    const { exitCode, stderr } = await execa(program, args, { reject: false, timeout: 60_000 });

    expect([name, exitCode, stderr]).toEqual([name, 78, expect.stringContaining('pool_mode')]);
    expect(others.count).toBeGreaterThan(0);
  }
});

async function serverOfRun() {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  return { server, own: await serverDatabase(server) };
}

async function poolerBefore(
  server: { host: string; port: number; superuser: string },
  ...mode: [Parameters<typeof startPgBouncer>[2], Parameters<typeof startPgBouncer>[3]?]
): Promise<PgBouncer> {
  const folder = await tempFolder();
  const pooler = await startPgBouncer(folder.path, server, ...mode);
  onTestFinished(async () => {
    await pooler[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return pooler;
}

/** Returns the name of the sessions of the process that has the slot. */
async function holderName(own: TestDatabase): Promise<string> {
  const database = own.connect();
  const [processId]: string[] = await database('slots').pluck('process_id');
  await database.destroy();
  return `homeport-connector ${processId}`;
}

/** Counts the sessions whose names begin so. */
async function sessionsCalled(own: TestDatabase, name: string): Promise<number> {
  const database = own.connect();
  const { rows } = await database.raw('SELECT pid FROM pg_stat_activity WHERE starts_with(application_name, ?)', [
    name,
  ]);
  await database.destroy();
  return rows.length;
}

/** Makes the pooler open several sessions. @param areBusy whether these clients go on to ask */
async function otherClients({ config: { postgres } }: { config: { postgres?: object | undefined } }, areBusy: boolean) {
  const session = knex({ client: 'pg', connection: { ...postgres }, pool: { min: 0, max: 6 } });
  const ask = (): Promise<unknown> =>
    session.transaction(async (transaction) => transaction.raw('SELECT pg_sleep(0.02)'));
  let hasEnded = !areBusy;
  let count = 0;
  const all = Array.from({ length: 6 }, async () => {
    do {
      await ask();
      count += 1;
    } while (!hasEnded);
  });
  await waitFor('they have asked', () => count >= 6);
  return {
    get count() {
      return count;
    },
    [Symbol.asyncDispose]: async () => {
      hasEnded = true;
      await Promise.all(all);
      await session.destroy();
    },
  };
}
