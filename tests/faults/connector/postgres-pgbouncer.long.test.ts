import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, inject, onTestFinished } from 'vitest';
import { needs } from '../../harness/needs.ts';
import { type PgBouncer, startPgBouncer } from '../../harness/pgbouncer.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { connectorCommand, startConnectorStack, writeConfig } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

async function serverOfRun() {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  return { server, own: await serverDatabase(server) };
}

async function poolerBefore(
  server: { host: string; port: number; superuser: string },
  poolMode: Parameters<typeof startPgBouncer>[2],
): Promise<PgBouncer> {
  const folder = await tempFolder();
  const pooler = await startPgBouncer(folder.path, server, poolMode);
  onTestFinished(async () => {
    await pooler[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return pooler;
}

needs('PgBouncer')(
  'behind a PgBouncer in session mode a process that dies, and one that is frozen, are taken over: nothing is lost or doubled',
  async () => {
    const { server, own } = await serverOfRun();
    const { host, port } = await poolerBefore(server, 'session');
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
    frozen.kill('SIGSTOP');
    pair.bob.say('#room', 'said while it was frozen');
    await pair.takeOver();
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
