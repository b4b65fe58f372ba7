import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { blockOf, blocksOf } from '../../harness/guide-blocks.ts';
import { bootGuidedMachine } from '../../harness/guided-machine.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const CONFIG = '/etc/homeport/connector.json';

/** The report of systemd-sysusers, which it writes to standard error. */
const SYSUSERS_REPORT = /^Creating (group|user) 'homeport-connector' /;

const capabilities: Capability[] = ['systemd containers', 'overlay file systems', 'Debian packages'];
const asTheGuidesSay = needs(...capabilities);
let container: SystemdContainer;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  container = await bootGuidedMachine(true);
  // The cluster that Debian's package sets up.
  const [cluster] = (await container.run('pg_lsclusters', '--no-header')).split('\n');
  const [version, name] = (cluster ?? '').split(/\s+/);
  await container.run('systemctl', 'start', `postgresql@${version}-${name}`);
});

afterAll(() => container?.[Symbol.asyncDispose]());

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

asTheGuidesSay(
  'a service on Debian is backed up, restored, moved to Debian’s PostgreSQL and back by pasting the guides',
  async () => {
    const [backUp, keepKeys, restoreFile, restoreServer, compactFile] = blocksOf('backup.md', 'sh');
    const [moveUp, moveBack, useFile] = blocksOf('move-to-postgresql.md', 'sh');
    await container.run('systemd-sysusers', '--inline', 'g homeport-soju -');
    await container.run('systemctl', 'start', 'soju');
    await paste('homeport-connector install-units');
    await isServing();

    await invite('grace');
    await paste(backUp);
    await paste(keepKeys);
    expect(await paste('stat -c "%U %a" /safe/keys.json')).toBe('root 600');
    await invite('heidi');
    // The last one of several is restored: that of the timer, with the keys in place.
    await saveByTimer();
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

    await paste(backUp);
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

/** Pastes a block of a guide into a shell of root. */
async function paste(block = ''): Promise<string> {
  const environment = ['--chdir=/root', `PATH=${REPOSITORY_INSIDE}/bin:/usr/sbin:/usr/bin`];
  const { status, output, complaint } = await container.attempt('env', ...environment, 'sh', '-ec', block);
  const complaints = complaint.split('\n').filter((line) => line !== '' && !SYSUSERS_REPORT.test(line));
  expect([block, complaints, status]).toEqual([block, [], 0]);
  return output;
}

function configure(changes: Record<string, unknown>): void {
  const file = join(container.rootfs, CONFIG);
  const { database: _, ...config } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...config, ...changes }));
}

/** Makes the timer of the guide, and waits for what it starts. */
async function saveByTimer(): Promise<void> {
  const [service = '', timer = ''] = blocksOf('backup.md', 'ini');
  const units = join(container.rootfs, 'etc/systemd/system/homeport-connector-backup');
  writeFileSync(`${units}.service`, service.replaceAll('/opt/homeport', REPOSITORY_INSIDE));
  writeFileSync(`${units}.timer`, timer);
  await container.run('systemctl', 'daemon-reload');
  await container.run('systemctl', 'enable', '--now', '--quiet', 'homeport-connector-backup.timer');
  await container.run('systemctl', 'start', 'homeport-connector-backup.service');
  const saved = (await paste('ls -d /backup/20*')).split('\n').at(-1) ?? '';
  expect((await paste(`ls ${saved}`)).split('\n')).toEqual(['connector.db', 'manifest.json']);
}
