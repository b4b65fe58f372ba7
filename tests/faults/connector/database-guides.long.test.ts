import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { blockOf, blocksOf } from '../../harness/guide-blocks.ts';
import { bootGuidedMachine } from '../../harness/guided-machine.ts';
import { needs } from '../../harness/needs.ts';
import { REPOSITORY_INSIDE, type SystemdContainer } from '../../harness/systemd-container.ts';

const CONFIG = '/etc/homeport/connector.json';

/** What systemd-sysusers has done, which it writes to standard error. */
const SYSUSERS_REPORT = /^Creating (group|user) 'homeport-connector' /;

const capabilities: Capability[] = ['systemd containers', 'overlay file systems', 'Debian packages'];
const asTheGuidesSay = needs(...capabilities);
let container: SystemdContainer;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  container = await bootGuidedMachine(true);
  // As Debian's package sets it up.
  const [cluster] = (await container.run('pg_lsclusters', '--no-header')).split('\n');
  const [version, name] = (cluster ?? '').split(/\s+/);
  await container.run('systemctl', 'start', `postgresql@${version}-${name}`);
});

afterAll(() => container?.[Symbol.asyncDispose]());

/** Pastes a block of a guide into a shell of root. */
async function paste(block = ''): Promise<string> {
  const environment = ['--chdir=/root', `PATH=${REPOSITORY_INSIDE}/bin:/usr/sbin:/usr/bin`];
  const { status, output, complaint } = await container.attempt('env', ...environment, 'sh', '-ec', block);
  const complaints = complaint.split('\n').filter((line) => line !== '' && !SYSUSERS_REPORT.test(line));
  expect([block, complaints, status]).toEqual([block, [], 0]);
  return output;
}

/** The service runs and answers; a start that fails is begun again by systemd. */
const isServing = () =>
  waitFor('the connector answers', async () => {
    const healthz = await container.attempt('curl', '--silent', '--fail', 'http://127.0.0.1:8460/healthz');
    return healthz.status === 0;
  });

const invite = (login: string) =>
  paste(`CREDENTIALS_DIRECTORY=/etc/homeport/secrets homeport-connector invite ${login} --channels homeport`);

const ASK = {
  sqlite: 'sqlite3 /var/lib/homeport-connector/connector.db',
  postgres: 'cd / && runuser -u postgres -- psql --no-align --tuples-only homeport-connector --command',
};

const loginsIn = async (kind: keyof typeof ASK): Promise<string[]> =>
  (await paste(`${ASK[kind]} 'SELECT login FROM accounts ORDER BY login'`)).split('\n');

function configure(changes: Record<string, unknown>): void {
  const file = join(container.rootfs, CONFIG);
  const { database: _, ...config } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...config, ...changes }));
}

asTheGuidesSay(
  'a service on Debian is backed up, restored, moved to Debian’s PostgreSQL and back by pasting the guides',
  async () => {
    const [backUpFile, restoreFile, backUpServer, restoreServer, compactFile] = blocksOf('backup.md', 'sh');
    const [moveUp, moveBack, useFile] = blocksOf('move-to-postgresql.md', 'sh');
    await container.run('systemd-sysusers', '--inline', 'g homeport-soju -');
    await container.run('systemctl', 'start', 'soju');
    await paste('homeport-connector install-units');
    await isServing();

    await invite('grace');
    await paste(backUpFile);
    await invite('heidi');
    // The second backup replaces the first one.
    await paste(backUpFile);
    await invite('ivan');
    await paste(restoreFile);
    await isServing();
    expect(await loginsIn('sqlite')).toEqual(['grace', 'heidi']);

    expect(await paste(compactFile)).toContain('deletions make it smaller from now on');
    await isServing();
    expect(await loginsIn('sqlite')).toEqual(['grace', 'heidi']);

    await paste(blockOf('postgresql.md', 'sh'));
    configure(JSON.parse(blockOf('move-to-postgresql.md', 'json')) as Record<string, unknown>);
    await paste(moveUp);
    await isServing();
    expect(await loginsIn('postgres')).toEqual(['grace', 'heidi']);

    await paste(backUpServer);
    await invite('judy');
    await paste(restoreServer);
    await isServing();
    expect(await loginsIn('postgres')).toEqual(['grace', 'heidi']);
    await invite('mallory');

    await paste(moveBack);
    configure({});
    await paste(useFile);
    await isServing();
    expect(await loginsIn('sqlite')).toEqual(['grace', 'heidi', 'mallory']);
  },
);
