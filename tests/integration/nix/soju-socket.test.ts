import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { needs } from '../../harness/needs.ts';
import { sojuHook } from '../../harness/nix/soju-hook.ts';

const nixTest = needs('NIXPKGS_LIB or <nixpkgs/lib>', 'root');

/** Longest time in which a unit must start. @see systemd-system.conf(5), DefaultTimeoutStartSec */
const SYSTEMD_START_LIMIT_SECONDS = 90;

const COMMAND_DEADLINE_MS = 120_000;

/** Accounts of numbers that are free on the machine: that of soju, of the connector, and the group they share. */
const SOJU = 61_001;
const CONNECTOR = 61_002;
const SHARED_GROUP = 61_003;

const root = mkdtempSync(join(tmpdir(), 'homeport-bouncer-'));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Words before a command that give it the rights of an account. It ends with this process: a change of rights would undo that. */
const as = (account: number, groups: string) =>
  ['setpriv', `--reuid=${account}`, `--regid=${account}`, groups, '--pdeathsig=KILL'] as const;
const asSoju = as(SOJU, `--groups=${SHARED_GROUP}`);

const HANDED_OVER = { exitCode: 0, answers: ['connected', 'connected', 'EACCES', 'EACCES'] };

nixTest('soju hands both its sockets to the group of the connector, and to nobody else, once it answers', async () => {
  const runsAsSoju = (pid: number): boolean => statSync(`/proc/${pid}`).uid === SOJU;

  expect(await handOver('well', [], runsAsSoju)).toEqual(HANDED_OVER);
});

nixTest('a soju that systemd has made but not yet given to its account is waited for', async () => {
  const slowStart = ['sh', '-c', 'sleep 1; exec "$@"', 'sh'];

  expect(await handOver('not-yet', slowStart, () => true)).toEqual(HANDED_OVER);
});

/**
 * Runs the script with a soju that an attacker has taken over: when it is asked whether it answers, it puts links to a
 * file of root's in place of its sockets.
 */
async function runWithLinks(name: string, account: readonly string[]) {
  const folder = sojuDirectory(name);
  const victim = join(root, `${name}-of-root`);
  writeFileSync(victim, 'of root', { mode: 0o600 });
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(
    join(programs, 'sojuctl'),
    `#!/bin/sh\nln -sf ${victim} ${folder}/admin\nln -sf ${victim} ${folder}/irc\n`,
    {
      mode: 0o755,
    },
  );
  const script = await scriptIn(folder, folder);

  const { exitCode } = await execa('env', [...account, 'bash', '-c', script], {
    reject: false,
    timeout: COMMAND_DEADLINE_MS,
  });

  const { uid, gid, mode } = statSync(victim);
  return { exitCode, victim: { uid, gid, mode: (mode & 0o777).toString(8) } };
}

nixTest('a soju that puts links in place of its sockets gets no rights to what they lead to', async () => {
  const { exitCode, victim } = await runWithLinks('taken-over', asSoju);

  expect(exitCode).toBe(1);
  expect(victim).toEqual({ uid: 0, gid: 0, mode: '600' });
});

nixTest('the same links would give rights away if root ran the hook', async () => {
  expect((await runWithLinks('run-by-root', [])).victim).toMatchObject({ mode: '660' });
});

nixTest('a soju that does not answer is told of before systemd gives up on the unit', async () => {
  const folder = sojuDirectory('silent');
  const script = await scriptIn(folder);
  const waitSeconds = Number(/timeout (\d+) \S+ -c/.exec(script)?.[1]);

  const { exitCode, stderr } = await execa(
    'env',
    // It waits for itself.
    [...asSoju, 'bash', '-c', `MAINPID=$$\nexport MAINPID\n${script.replace(`timeout ${waitSeconds}`, 'timeout 1')}`],
    { reject: false, timeout: COMMAND_DEADLINE_MS },
  );

  expect(waitSeconds).toBeGreaterThan(0);
  // Its last question may take 2 s more.
  expect(waitSeconds + 2).toBeLessThan(SYSTEMD_START_LIMIT_SECONDS);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: `soju ended, or did not answer on ${folder}/admin within ${waitSeconds} s`,
  });
});

nixTest('for a soju that has ended nothing is waited for', async () => {
  const folder = sojuDirectory('ended');
  const script = await scriptIn(folder);

  const { exitCode, stderr } = await execa(
    'env',
    [...asSoju, 'bash', '-c', `true &\nexport MAINPID=$!\nwait\n${script}`],
    { reject: false, timeout: COMMAND_DEADLINE_MS },
  );

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^soju ended, or did not answer on /);
});

/** A directory that belongs to soju, as its runtime directory does. */
function sojuDirectory(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  chownSync(folder, SOJU, SOJU);
  return folder;
}

/**
 * The hook of the module, moved to a directory of the test.
 * @param soju folder whose `bin` has sojuctl
 */
async function scriptIn(folder: string, soju?: string): Promise<string> {
  const config = join(folder, 'sojuctl.conf');
  writeFileSync(config, `listen unix+admin://${folder}/admin\n`);
  const { script } = await sojuHook(config, soju);
  return script.replaceAll('/run/soju/', `${folder}/`).replaceAll('homeport-soju', String(SHARED_GROUP));
}

/** Connects to a Unix socket with the rights of an account: `connected`, or the system's word for why not. */
async function connect(account: readonly string[], socket: string): Promise<string> {
  const program = `require('node:net').connect(process.argv[1])
    .on('connect', () => { console.log('connected'); process.exit(); })
    .on('error', ({ code }) => { console.log(code); process.exit(); })`;
  const { stdout } = await execa('env', [...account, process.execPath, '-e', program, socket], {
    timeout: COMMAND_DEADLINE_MS,
  });
  return stdout;
}

/**
 * Runs soju and the hook beside it.
 * @param before words before soju's command
 * @returns exit status of the hook, and what each of connector and stranger gets at each socket
 */
async function handOver(name: string, before: readonly string[], isReady: (pid: number) => boolean) {
  const folder = sojuDirectory(name);
  const script = await scriptIn(folder);
  const config = join(folder, 'soju.conf');
  // The order of the NixOS module of soju: the socket for administration last.
  writeFileSync(
    config,
    `listen unix://${folder}/irc\nlisten unix+admin://${folder}/admin\ndb sqlite3 ${folder}/soju.db\n`,
  );

  const soju = startProcess({
    name: 'soju',
    command: ['env', ...before, ...asSoju, 'soju', '-config', config],
    cwd: folder,
  });
  await waitFor('soju is as far as the test wants', () => isReady(soju.pid), { process: soju });
  const hook = startProcess({
    name: 'hand-over',
    command: ['env', `MAINPID=${soju.pid}`, ...asSoju, 'bash', '-c', script],
  });
  const { exitCode } = await hook.ended;
  const sockets = ['admin', 'irc'].map((socket) => join(folder, socket));
  const connector = as(CONNECTOR, `--groups=${SHARED_GROUP}`);
  const stranger = as(CONNECTOR, '--clear-groups');
  const answers = await Promise.all(
    [connector, stranger].flatMap((account) => sockets.map((socket) => connect(account, socket))),
  );
  await soju.stop();
  return { exitCode, answers };
}
