import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';

/** Where the container has the repository: a place that no hardening of a unit hides, as /tmp and /home are hidden. */
export const REPOSITORY_INSIDE = '/opt/homeport';

/** The machine's own files that programs of the container need beside /usr. */
const COPIED_FILES = [
  'etc/passwd',
  'etc/group',
  'etc/nsswitch.conf',
  'etc/ld.so.cache',
  'etc/dbus-1',
  'etc/os-release',
];

/** What the container boots into: a message bus and nothing else, so that it takes a second. */
const BOOT_TARGET = 'test.target';
const bootUnits: Record<string, string> = {
  [BOOT_TARGET]: '[Unit]\nDefaultDependencies=no\nRequires=dbus.socket\nAfter=dbus.socket\n',
  // Without its usual dependencies, which would bring up half a machine.
  'dbus.socket': '[Unit]\nDefaultDependencies=no\n[Socket]\nListenStream=/run/dbus/system_bus_socket\n',
  'dbus.service':
    '[Unit]\nDefaultDependencies=no\nRequires=dbus.socket\n[Service]\nExecStart=/usr/bin/dbus-daemon --system --address=systemd: --nofork --nopidfile --systemd-activation\n',
};

/** In a process namespace whose end is the end of all in it; the container outlives systemd-nspawn otherwise. */
const DYING_TOGETHER = ['unshare', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'];

export interface SystemdContainer extends AsyncDisposable {
  /** Its root directory as processes outside reach it. */
  rootfs: string;
  /** Number of its first process outside. */
  leader: number;
  /** Runs a program inside as root; its standard output. @throws Error when it fails */
  run(program: string, ...args: string[]): Promise<string>;
  /** The same, whatever its exit status. */
  attempt(program: string, ...args: string[]): Promise<{ status: number; output: string; complaint: string }>;
}

/**
 * Needs `systemd containers`. Boots the machine's own systemd as the first process of a container that shares /usr and this checkout, read-only.
 * @param units file name -> text, below /etc/systemd/system; a text that begins with `->` is a link
 * @param files path below the root -> text, readable by root alone
 * @param isWholeMachine the machine's own /etc and /var are there too, and what the container writes there and to /usr
 *   stays in the container, so that packages can be installed; needs `overlay file systems`
 */
export async function bootSystemd(
  units: Record<string, string>,
  files: Record<string, string> = {},
  isWholeMachine = false,
): Promise<SystemdContainer> {
  const root = mkdtempSync(join(tmpdir(), 'homeport-systemd-'));
  // Made for one account alone; here it is the root directory of several.
  chmodSync(root, 0o755);
  writeRoot(root, units, files);
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '');
  const cgroup = `${existsSync('/sys/fs/cgroup/systemd') ? '/sys/fs/cgroup/systemd' : '/sys/fs/cgroup'}/${name}`;
  mkdirSync(cgroup);
  const nspawn = startProcess({
    name: 'systemd-nspawn',
    // In a control group of its own, below which it makes those of the container: two of them must not share any.
    command: [
      'sh',
      '-c',
      'echo $$ >"$0"/cgroup.procs && exec "$@"',
      cgroup,
      ...DYING_TOGETHER,
      ...nspawnCommand(root, name, isWholeMachine),
    ],
  });
  const dispose = async (): Promise<void> => {
    // Its processes die with it; an orderly shutdown would take seconds.
    nspawn.kill('SIGKILL');
    await nspawn.ended;
    await waitFor('the container is gone', () => removeCgroup(cgroup));
    for (const directory of [root, `/run/systemd/nspawn/propagate/${name}`]) {
      rmSync(directory, { recursive: true, force: true });
    }
  };
  try {
    const leader = await waitFor('systemd runs in the container', () => leaderOf(nspawn.pid), { process: nspawn });
    const attempt = (...command: string[]) => runInside(leader, ...command);
    const run = async (...command: string[]): Promise<string> => {
      const { status, output, complaint } = await attempt(...command);
      if (status === 0) return output;
      // systemctl itself says only that a unit failed.
      const units =
        command[0] === 'systemctl' ? await attempt('systemctl', 'status', '--no-pager', '--failed') : undefined;
      throw new Error([`${command.join(' ')}: ${complaint}`, units?.output ?? ''].join('\n').trim());
    };
    const isUp = async () => {
      // The first connection starts the bus, and systemd joins it a moment later.
      await run('busctl', 'status', 'org.freedesktop.systemd1');
      return (await run('systemctl', 'is-active', BOOT_TARGET)) === 'active';
    };
    await waitFor('the container has booted', isUp, { process: nspawn });
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
  // Without this process's environment, which is of another machine.
  const env = { PATH: '/usr/sbin:/usr/bin', HOME: '/root', LC_ALL: 'C', TZ: 'UTC' };
  const options = { reject: false, extendEnv: false, env };
  const result = await execa('nsenter', ['--target', String(leader), ...namespaces, '--', ...command], options);
  return { status: result.exitCode ?? 1, output: result.stdout, complaint: result.stderr };
}

function nspawnCommand(root: string, name: string, isWholeMachine: boolean): string[] {
  const layers = ['etc', 'usr', 'var'].map((path) => `--overlay=/${path}:${join(root, path)}:/${path}`);
  return [
    'systemd-nspawn',
    '--quiet',
    '--keep-unit',
    '--register=no',
    '--private-network',
    '--console=pipe',
    `--directory=${root}`,
    `--machine=${name}`,
    ...(isWholeMachine ? layers : ['--bind-ro=/usr']),
    `--bind-ro=${process.cwd()}:${REPOSITORY_INSIDE}`,
    '--boot',
    `systemd.unit=${BOOT_TARGET}`,
    'systemd.show_status=0',
  ];
}

/** Control groups are removed from the innermost outwards, and only when their last process has gone. */
function removeCgroup(cgroup: string): boolean {
  const inner = readdirSync(cgroup, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of inner) removeCgroup(join(cgroup, name));
  rmdirSync(cgroup);
  return true;
}

function writeRoot(root: string, units: Record<string, string>, files: Record<string, string>): void {
  const unitFolder = join(root, 'etc/systemd/system');
  for (const folder of ['usr', 'proc', 'sys', 'dev', 'run', 'tmp', 'var', 'root']) mkdirSync(join(root, folder));
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  mkdirSync(unitFolder, { recursive: true });
  for (const file of COPIED_FILES) cpSync(`/${file}`, join(root, file), { recursive: true, dereference: true });
  writeFileSync(join(root, 'etc/machine-id'), '');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o600 });
  }
  for (const [name, text] of Object.entries({ ...bootUnits, ...units })) {
    if (text.startsWith('->')) symlinkSync(text.slice('->'.length), join(unitFolder, name));
    else writeFileSync(join(unitFolder, name), text);
  }
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
