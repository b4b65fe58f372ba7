import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Processor } from '../../../scripts/release/addons.ts';
import { buildPackages } from '../../../scripts/release/debian/build-packages.ts';
import { nodeParts } from '../../../scripts/release/debian/node-parts.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { debianRoot } from '../../harness/debian-container/root.ts';
import { needs } from '../../harness/needs.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Deadline of the preparation on a busy machine, including a base image to be made. */
const PREPARATION_DEADLINE_MS = 1_800_000;
const COMMAND_DEADLINE_MS = 900_000;

const EPOCH = 1_700_000_000;

/** Account of the service in the image. */
const ACCOUNT = 8_460;

/** Stands for the group that soju shares its sockets with. */
const SOJU_GROUP = 8_461;

/** Stands for the image of that name, which a registry has. */
const BASE = 'localhost/debian:13-slim';
const IMAGE = 'localhost/homeport-connector';

/**
 * Options for a container without a systemd beside it, and with limits that a machine of the tests may lack the right
 * to raise.
 */
const ALONE = ['--network=none', '--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096'];

const capabilities: Capability[] = ['Debian containers', 'podman'];
const imageTest = needs(...capabilities);

let folder: Awaited<ReturnType<typeof tempFolder>>;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  folder = await tempFolder();
  const packages = join(folder.path, 'release');
  mkdirSync(packages);
  const processor = process.arch as Processor;
  await using parts = await nodeParts(processor);
  await buildPackages({ folder: packages, processor, parts, epoch: EPOCH, compression: 'none' });
  await podman('import', await debianRoot(13, 'base'), BASE);
  const options = ['--isolation=chroot', '--format=docker', `--build-arg=BASE=${BASE}`];
  await podman('build', ...options, '--file=Containerfile', `--tag=${IMAGE}`, packages);
  writeConfiguration();
}, PREPARATION_DEADLINE_MS);

afterAll(async () => {
  if (folder === undefined) return;
  await attempt('rm', '--all', '--force');
  await folder[Symbol.asyncDispose]();
});

imageTest('the image runs the connector under an account of its own, and keeps the history in a volume', async () => {
  await using _soju = await startSoju();
  await start('first');
  const findings = (await attempt('exec', 'first', 'homeport-connector', 'doctor')).output;

  expect(findings).toMatch(/^ok +soju admin socket/m);
  expect(findings).toMatch(/^ok +soju listener/m);
  expect(await podman('exec', 'first', 'id', '--user')).toBe(String(ACCOUNT));
  expect((await attempt('exec', 'first', 'touch', '/etc/homeport/x')).status).not.toBe(0);
  expect(await podman('exec', 'first', 'homeport-connector', 'invite', 'grace', '--channels', 'homeport')).toMatch(
    /^grace has #homeport$/m,
  );
  const place = await podman('volume', 'inspect', '--format={{.Mountpoint}}', 'history');
  const before = statSync(join(place, 'connector.db'));
  expect(before.uid).toBe(ACCOUNT);

  // An end by SIGTERM is an end in order.
  await podman('stop', '--time=60', 'first');
  expect(await podman('inspect', '--format={{.State.ExitCode}}', 'first')).toBe('0');
  await podman('rm', 'first');
  await start('second');

  expect(statSync(join(place, 'connector.db')).ino).toBe(before.ino);
});

imageTest('a connector that does not answer is unhealthy', async () => {
  await podman('run', '--detach', '--name=silent', ...ALONE, '--entrypoint=sleep', IMAGE, 'infinity');

  expect((await attempt('healthcheck', 'run', 'silent')).status).not.toBe(0);
});

imageTest('without a configuration the container ends, and says in one line what is missing', async () => {
  const { status, output, complaint } = await attempt('run', '--name=bare', ...ALONE, IMAGE);

  expect(status).toBe(78);
  expect(`${output}\n${complaint}`).toMatch(/^homeport-connector: .*\/etc\/homeport\/connector\.json/m);
});

/** Its images and containers are in a folder of the test's own, which no driver of the kernel has to support. */
async function attempt(...words: string[]): Promise<{ status: number; output: string; complaint: string }> {
  const places = [`--root=${join(folder.path, 'storage')}`, `--runroot=${join(folder.path, 'run')}`];
  const machine = ['--storage-driver=vfs', '--cgroup-manager=cgroupfs', '--runtime=runc'];
  const result = await execa('podman', [...places, ...machine, ...words], {
    reject: false,
    timeout: COMMAND_DEADLINE_MS,
  });
  return { status: result.exitCode ?? 1, output: result.stdout, complaint: result.stderr };
}

async function podman(...words: string[]): Promise<string> {
  const { status, output, complaint } = await attempt(...words);
  if (status === 0) return output;
  throw new Error(`podman ${words.join(' ')}: ${complaint.slice(-2_000)}`);
}

function writeConfiguration(): void {
  const { trustedProxies: _ours, ...config } = exampleConfig;
  const file = join(folder.path, 'connector.json');
  const soju = { ...config.bouncer.soju, address: 'unix:///run/soju/irc' };
  writeFileSync(file, JSON.stringify({ ...config, bouncer: { soju }, listen: { address: '0.0.0.0' } }));
  const secrets = join(folder.path, 'secrets');
  mkdirSync(secrets, { mode: 0o700 });
  for (const name of ['oidc', 'admin']) {
    const secret = join(secrets, name);
    writeFileSync(secret, 'not-a-secret-in-this-test\n');
    chmodSync(secret, 0o400);
    chownSync(secret, ACCOUNT, ACCOUNT);
  }
  chownSync(secrets, ACCOUNT, ACCOUNT);
}

/** A soju of this machine, with its sockets in a folder as the guide wants it. */
async function startSoju(): Promise<AsyncDisposable> {
  const sockets = join(folder.path, 'soju');
  mkdirSync(sockets, { mode: 0o755 });
  const config = join(folder.path, 'soju.conf');
  const lines = ['message-store db', `listen unix://${sockets}/irc`, `listen unix+admin://${sockets}/admin`];
  writeFileSync(config, [`db sqlite3 ${join(folder.path, 'soju.db')}`, ...lines, ''].join('\n'));
  const soju = startProcess({ name: 'soju', command: ['soju', '-config', config] });
  for (const name of ['irc', 'admin']) {
    const socket = join(sockets, name);
    await waitFor(`soju has its socket ${name}`, () => existsSync(socket), { process: soju });
    chownSync(socket, 0, SOJU_GROUP);
    chmodSync(socket, 0o660);
  }
  return { [Symbol.asyncDispose]: () => soju.stop() };
}

/** Starts the connector, and resolves when its health check succeeds. */
async function start(name: string): Promise<void> {
  const volumes = [
    'history:/var/lib/homeport-connector',
    `${join(folder.path, 'connector.json')}:/etc/homeport/connector.json:ro`,
    `${join(folder.path, 'secrets')}:/run/secrets:ro`,
    `${join(folder.path, 'soju')}:/run/soju`,
  ];
  const mounted = volumes.map((volume) => `--volume=${volume}`);
  const rights = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', `--group-add=${SOJU_GROUP}`];
  await podman('run', '--detach', ...rights, `--name=${name}`, ...ALONE, ...mounted, IMAGE);
  await waitFor('the container is healthy', async () => {
    if ((await attempt('healthcheck', 'run', name)).status === 0) return true;
    throw new Error((await attempt('logs', name)).output);
  });
}
