import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { databaseServer } from '../../../src/connector/store/connect/index.ts';
import type { NoticeServer } from '../../../src/connector/store/connect/postgres-notices.ts';
import { Notices } from '../../../src/connector/store/notices/notices.ts';
import { createInvalidations } from '../../../src/connector/store/shared-invalidations.ts';
import { needs } from '../../harness/needs.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { startPgBouncer } from '../../harness/pgbouncer.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { type DatabaseConfig, serverDatabase, type TestDatabase } from '../../harness/test-database.ts';

test('a process hears once what another one changes; its own changes do not come back, and those of each line are not sent', async () => {
  const { here, there } = await pair();

  here.invalidations.invalidate('account', 'ada');
  here.invalidations.invalidate('entries', 'ada');
  there.invalidations.invalidate('oauth', 'bob');
  await waitFor('both hear of it', () => there.heard.includes('account ada') && here.heard.includes('oauth bob'));
  here.invalidations.invalidate('account', 'later');
  await waitFor('it is heard', () => there.heard.includes('account later'));

  expect(there.heard.toSorted()).toEqual(['account ada', 'account later', 'oauth bob']);
  expect(here.heard.toSorted()).toEqual(['account ada', 'account later', 'entries ada', 'oauth bob']);
});

test('a burst of changes takes few statements, and of more than a thousand changes others forget everything', async () => {
  const { here, there } = await pair();

  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 900; n += 1) here.invalidations.invalidate('account', `acc_${n}`);
  }
  await waitFor('all are heard', () => there.heard.includes('account acc_899'));
  expect(there.heard).toHaveLength(900);
  expect(there.heard).not.toContain('account *');

  for (let n = 0; n < 1_001; n += 1) here.invalidations.invalidate('account', `acc_${n}`);
  await waitFor('everything is forgotten', () => there.heard.includes('entries *'));
  expect(there.heard.slice(900).toSorted()).toEqual(['account *', 'entries *', 'oauth *']);
});

test('a process without others opens no connection and sends nothing', async () => {
  const own = await database();
  const [alone, other] = [processAt(own.config, 'prc_alone'), processAt(own.config, 'prc_other')];
  await other.isUp();
  const looking = own.connect();
  onTestFinished(() => looking.destroy());
  const sessions = async () => {
    const { rows } = await looking.raw(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%prc_alone'`,
    );
    return rows.length as number;
  };

  alone.notices.follow(false);
  alone.invalidations.invalidate('account', 'ada');
  expect(await sessions()).toBe(0);
  await alone.isUp();
  alone.invalidations.invalidate('account', 'bob');
  await waitFor('the other one hears of it', () => other.heard.length > 0);
  alone.notices.follow(false);
  await waitFor('the connection is closed', async () => (await sessions()) === 0);
  alone.invalidations.invalidate('account', 'carol');

  expect(other.heard).toEqual(['account bob']);
});

test('notices of another program on the channel change nothing', async () => {
  const { config, here, there } = await pair();
  const stranger = (await import('knex')).default({ client: 'pg', connection: config.postgres ?? {} });
  onTestFinished(() => stranger.destroy());

  for (const payload of ['', 'hello', '[]', '["prc_x", [["account"]]]', '["prc_here", "beat"]', '["prc_x", "beat"]']) {
    await stranger.raw('SELECT pg_notify(?, ?)', ['homeport_connector', payload]);
  }
  here.invalidations.invalidate('account', 'ada');
  await waitFor('it is heard', () => there.heard.length > 0);

  expect(there.heard).toEqual(['account ada']);
});

test.each(['passes nothing any more', 'ends'])(
  'a connection that %s is replaced within seconds: everything is forgotten then, and notices are heard again',
  async (fate) => {
    const { config } = await database();
    const server = serverOfRun();
    const directory = await folder();
    const proxy = await startPostgresProxy(directory, server);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const cut = processAt(
      { postgres: { ...(config.postgres as never as object), host: directory } as never },
      'prc_cut',
    );
    const other = processAt(config, 'prc_other');
    await other.isUp();
    await cut.isUp();
    const before = performance.now();

    if (fate === 'ends') proxy.moveTo(server);
    else proxy.forget();
    await waitFor('everything is forgotten', () => cut.heard.includes('account *'));

    expect(performance.now() - before).toBeLessThan(30_000);
    await waitFor('notices are heard again', async () => {
      other.invalidations.invalidate('account', 'ada');
      await delay(100);
      return cut.heard.includes('account ada');
    });
    expect(cut.warnings).toEqual([expect.stringContaining('is opened again')]);
  },
);

needs('PgBouncer')('behind a PgBouncer in transaction mode a process says once that it hears nothing', async () => {
  const { config } = await database();
  const pooler = await startPgBouncer(await folder(), serverOfRun(), 'transaction');
  onTestFinished(() => pooler[Symbol.asyncDispose]());
  const { host, port } = pooler;
  const pooled = processAt(
    { postgres: { ...(config.postgres as never as object), host, port } as never },
    'prc_pooled',
  );

  pooled.notices.follow(true);
  await waitFor('it says so', () => pooled.warnings.length > 0);

  expect(pooled.warnings).toEqual([expect.stringContaining('behind a pooler in transaction mode')]);
  expect(pooled.notices.isUp).toBe(false);
});

async function database(): Promise<TestDatabase> {
  const own = await serverDatabase(serverOfRun());
  onTestFinished(() => own[Symbol.asyncDispose]());
  return own;
}

/** Returns a place for another program that stands before the server. */
async function folder(): Promise<string> {
  const own = await tempFolder();
  onTestFinished(() => own[Symbol.asyncDispose]());
  return own.path;
}

/** A process with notices of its own, and what it hears. */
function processAt(config: DatabaseConfig, processId: string) {
  const server: NoticeServer | undefined = databaseServer(choiceOf(config)).notices;
  if (server === undefined) throw new Error('this database has no notices');
  const invalidations = createInvalidations();
  const heard: string[] = [];
  const warnings: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
  );
  for (const topic of ['account', 'oauth', 'entries'] as const) {
    invalidations.on(topic, (key) => heard.push(`${topic} ${key ?? '*'}`));
  }
  const notices = new Notices({ server, processId, invalidations, log });
  onTestFinished(() => notices.close());
  return {
    ...{ invalidations, heard, warnings, notices },
    isUp: async () => {
      notices.follow(true);
      await waitFor(`${processId} hears notices`, () => notices.isUp);
      heard.length = 0;
    },
  };
}

async function pair() {
  const { config } = await database();
  const [here, there] = [processAt(config, 'prc_here'), processAt(config, 'prc_there')];
  await here.isUp();
  await there.isUp();
  return { config, here, there };
}

function serverOfRun() {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is of PostgreSQL');
  return server;
}
