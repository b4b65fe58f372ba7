import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';

/**
 * Runs the container in a process namespace whose end kills all processes in it; it outlives systemd-nspawn otherwise.
 */
const DYING_TOGETHER = ['unshare', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'];

const CGROUPS = '/sys/fs/cgroup';

export interface SystemdContainer extends AsyncDisposable {
  /** Its root directory as processes outside reach it. */
  rootfs: string;
  /** Number of its first process outside. */
  leader: number;
  /** Runs a program inside as root; returns its standard output. @throws Error when it fails */
  run(program: string, ...args: string[]): Promise<string>;
  /** Like `run`, but accepts every exit status and returns it. */
  attempt(program: string, ...args: string[]): Promise<{ status: number; output: string; complaint: string }>;
}

/** Options for booting a root directory. */
export interface BootOptions {
  /** Options of systemd-nspawn. */
  options: readonly string[];
  /** Words for the first process. */
  words?: readonly string[];
  env?: Record<string, string>;
  /** Whether it has booted. */
  isUp: (run: SystemdContainer['run']) => Promise<boolean>;
}

/** Boots the systemd of a root directory, which is removed with the container, without a network but its own loopback. */
export async function bootRoot(
  root: string,
  { options, words = [], env = {}, isUp }: BootOptions,
): Promise<SystemdContainer> {
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '');
  const cgroups = cgroupsOf(name);
  for (const cgroup of cgroups) mkdirSync(cgroup);
  const nspawn = startProcess({
    name: 'systemd-nspawn',
    // systemd-nspawn gets control groups of its own, below which it makes those of the container: two containers must
    // not share any.
    command: [
      ...(['sh', '-c', 'for group in $0; do echo $$ >"$group"/cgroup.procs || exit; done && exec "$@"'] as const),
      ...[cgroups.join(' '), ...DYING_TOGETHER, 'systemd-nspawn', '--quiet', '--keep-unit', '--register=no'],
      ...['--private-network', '--console=pipe', `--directory=${root}`, `--machine=${name}`],
      ...[...options, '--boot', ...words, 'systemd.show_status=0'],
    ],
    env,
  });
  const dispose = async (): Promise<void> => {
    // Its processes die with it; an orderly shutdown would take seconds.
    nspawn.kill('SIGKILL');
    await nspawn.ended;
    for (const cgroup of cgroups) await waitFor('the container is gone', () => removeCgroup(cgroup));
    const lock = join(dirname(root), `.#${basename(root)}.lck`);
    for (const directory of [root, lock, `/run/systemd/nspawn/propagate/${name}`]) {
      rmSync(directory, { recursive: true, force: true });
    }
  };
  try {
    const leader = await waitFor('systemd runs in the container', () => leaderOf(nspawn.pid), { process: nspawn });
    const attempt = (...command: string[]) => runInside(leader, ...command);
    const run = (...command: [string, ...string[]]) => runWell(attempt, ...command);
    await waitFor('the container has booted', () => isUp(run), { process: nspawn });
    return { rootfs: `/proc/${leader}/root`, leader, run, attempt, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Runs a program as root in the container with this first process. */
export async function runInside(
  leader: number,
  ...command: string[]
): Promise<{ status: number; output: string; complaint: string }> {
  const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--root', '--wd=/'];
  // The program gets an environment of its own: this process's is of another machine.
  const env = { PATH: '/usr/sbin:/usr/bin', HOME: '/root', LC_ALL: 'C', TZ: 'UTC' };
  const options = { reject: false, extendEnv: false, env };
  // The working directory of nsenter is one of this machine, and unreachable inside.
  const inRoot = ['env', '--chdir=/', ...command];
  const result = await execa('nsenter', ['--target', String(leader), ...namespaces, '--', ...inRoot], options);
  return { status: result.exitCode ?? 1, output: result.stdout, complaint: result.stderr };
}

async function runWell(attempt: SystemdContainer['attempt'], ...command: [string, ...string[]]): Promise<string> {
  const { status, output, complaint } = await attempt(...command);
  if (status === 0) return output;
  // systemctl itself says only that a unit failed.
  const units = command[0] === 'systemctl' ? await attempt('systemctl', 'status', '--no-pager', '--failed') : undefined;
  throw new Error([`${command.join(' ')}: ${complaint}`, units?.output ?? ''].join('\n').trim());
}

/** One in each hierarchy that systemd uses: those of both versions, where a machine has both. */
function cgroupsOf(name: string): string[] {
  const both = ['systemd', 'unified'].map((hierarchy) => join(CGROUPS, hierarchy)).filter((path) => existsSync(path));
  return (both.length > 0 ? both : [CGROUPS]).map((hierarchy) => join(hierarchy, name));
}

/** Control groups are removed from the innermost outwards, and only when their last process has gone. */
function removeCgroup(cgroup: string): boolean {
  const inner = readdirSync(cgroup, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of inner) removeCgroup(join(cgroup, name));
  rmdirSync(cgroup);
  return true;
}

/** The container's first process by the machine's numbering: the first descendant that is systemd. */
function leaderOf(pid: number): number | undefined {
  for (const child of childrenOf(pid)) {
    if (readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd') return child;
    const found = leaderOf(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
