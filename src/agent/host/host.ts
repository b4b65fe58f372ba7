import { type Stats, stat, statfs, statfsSync, statSync } from 'node:fs';
import { machine as architecture, hostname } from 'node:os';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { StartError } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';
import { CgroupTree } from './cgroup-tree.ts';
import { FileReader, SOURCE_MAX_BYTES } from './file-reader.ts';
import { MountGuard } from './mount-guard.ts';
import {
  type MountAnswer,
  type MountCalls,
  type MountCallsNow,
  MountProbe,
  type MountQuestion,
} from './mount-probe.ts';
import { MountThreads } from './mount-threads.ts';
import { OwnMounts } from './own-mounts.ts';
import { readLater } from './read-later.ts';
import { type RootFiles, RootTree } from './root-tree.ts';
import { type Command, type CommandResult, CommandRunner } from './run-command.ts';
import {
  BOOTED_BY_SYSTEMD,
  openSystemd,
  openUserSystemd,
  SYSTEM_BUS,
  type UserSystemd,
  type UserUnits,
} from './systemd/open-systemd.ts';
import type { Systemd } from './systemd/systemd-answers.ts';
import { isWayOfRoot } from './way-of-root.ts';

/** Mount points of the machine's file systems, without a slash at the end; `''` is the root directory. */
interface HostRoots {
  procfs: string;
  sysfs: string;
  rootfs: string;
}

/** The machine as collectors see it: their only way to reach it. */
export interface Host {
  readonly name: string;
  /** Processor architecture as in uname(2): `x86_64`. */
  readonly architecture: string;
  /** Root of the directories named in /proc; see `HostRoots`. */
  readonly rootfs: string;
  /** Its wall clock, in milliseconds since 1970. */
  now(): number;
  /**
   * A file below /proc, each byte as one character; a promise where another program may stand behind the file and never
   * answer, as lxcfs does in containers: that costs a deadline and never this thread. @throws UnreadableSourceError
   */
  readProc(path: string): string | Promise<string>;
  /** Files below `sysfs`. */
  readonly sys: RootFiles;
  /** Installed files below `rootfs`. */
  readonly root: RootFiles;
  /** Directories below `root` in which each kernel has a directory with its modules. */
  readonly moduleDirectories: readonly string[];
  /** Usage of mounted file systems, within a deadline; paths as this process reaches them. */
  askMounts(questions: readonly MountQuestion[]): Promise<MountAnswer[]>;
  /** Runs a program within a deadline. @throws MissingProgramError, FailedCommandError */
  runCommand(command: Command): Promise<CommandResult>;
  /** Memory of services. */
  readonly cgroups: CgroupTree;
  /** systemd; undefined on a machine that another program has started. @throws UnreadableSourceError */
  systemd(): Promise<Systemd | undefined>;
  /** It is opened at its first use, because the account's name may come over the network. */
  readonly userSystemd: UserSystemd;
}

/** A `Host` with what its owner must look after. */
export interface OpenHost extends Host {
  /** A call to a file system has not returned; `endProcess` is then the only way out. */
  readonly isHanging: boolean;
  /**
   * Resolves once a file of this process's own can be read; await it before reading the file on this thread.
   * @throws UnreadableSourceError where its mount does not answer
   */
  mustBeRead(path: string): Promise<void>;
  close(): void;
}

/** Directories in which kernels have their modules. */
export const MODULE_DIRECTORIES = ['/lib/modules', '/usr/lib/modules'] as const;

/**
 * Files below /proc that one read returns completely, because the kernel makes them as one record. A second read, for
 * the end, can cost as much as the first.
 */
const ONE_RECORD: ReadonlySet<string> = new Set([
  ...['uptime', 'loadavg', 'stat', 'meminfo', 'sys/kernel/osrelease'],
  ...['pressure/cpu', 'pressure/memory', 'pressure/io'],
]);

/** `f_type` of a proc file system; statfs(2). */
const PROC_SUPER_MAGIC = 0x9fa0;

// Callbacks, because the promises of node:fs cost one more module at start and a fifth more in each call.
const systemCalls: MountCalls = {
  usage: (path) =>
    new Promise((resolve, reject) => {
      statfs(path, (error, usage) => (error === null ? resolve(usage) : reject(error)));
    }),
  device: (path) =>
    new Promise((resolve, reject) => {
      stat(path, (error, stats) => (error === null ? resolve(deviceOf(stats)) : reject(error)));
    }),
};

const deviceOf = (stats: Stats): number | undefined => (stats.isDirectory() ? stats.dev : undefined);

/**
 * Calls for mounts of the root file system, on whose path only root can mount another: if that hangs, no report is
 * possible anyway.
 */
const callsNow = (mounts: OwnMounts): MountCallsNow => ({
  isSafe: (path) => {
    const point = path.toString('utf8');
    return mounts.isHome(point) && isWayOfRoot(point);
  },
  usage: (path) => statfsSync(path),
  device: (path) => deviceOf(statSync(path)),
});

const monotonic = (): number => systemClock.monotonic();

export interface HostOptions {
  roots: HostRoots;
  /** Size of Node's thread pool. */
  threads: number;
  /** Directory at which the unit shows `/lib/modules`, whose own path it hides. */
  kernelModules?: string | undefined;
  /** Directories to search for programs before those of the system, as `PATH` has them. */
  path?: string | undefined;
  /** Replaces the machine's wall clock. */
  clock?: Pick<Clock, 'now'>;
  /** Replaces the machine's own answers, which no other root directory can change. */
  machine?: { name: string; mountCalls: MountCalls; systemd?: Systemd };
  /** Account whose units `userSystemd` answers about; by default this process's own. */
  userUnits?: UserUnits | undefined;
}

/** @throws StartError when a root is not a directory */
export function openHost(options: HostOptions): OpenHost {
  const { roots, threads, path, clock = systemClock, machine, userUnits, kernelModules } = options;
  const mountThreads = new MountThreads(threads, monotonic);
  const guard = new MountGuard(mountThreads);
  const ownReader = new FileReader(true);
  const mountsOf = (root: string): OwnMounts => new OwnMounts(root, (path) => ownReader.read(path), monotonic);
  const ownMounts = mountsOf('');
  const probe =
    machine === undefined
      ? new MountProbe(systemCalls, mountThreads, callsNow(ownMounts))
      : new MountProbe(machine.mountCalls, mountThreads);
  const types = Object.entries(roots).map(([option, path]) => [
    option,
    ownMounts.unsafePointOf(path) === undefined ? fileSystemType(`--${option}`, path) : undefined,
  ]);
  // The files of a copied tree are plain and get replaced, so a kept descriptor would show old content.
  const reader = new FileReader(Object.fromEntries(types).procfs === PROC_SUPER_MAGIC);
  const readProc = (path: string): string | Promise<string> => {
    const file = `${roots.procfs}/${path}`;
    const mount = ownMounts.unsafePointOf(file);
    return mount === undefined ? reader.read(file, ONE_RECORD.has(path)) : readGuarded(guard, mount, file);
  };
  const own = new RootTree('', { mounts: ownMounts, guard });
  const root = roots.rootfs === '' ? own : new RootTree(roots.rootfs, { mounts: mountsOf(roots.rootfs), guard });
  const commands = new CommandRunner(path, { isExecutable: (file) => own.isExecutable(file) });
  const run = roots.rootfs === '' ? (command: Command) => commands.run(command) : undefined;
  const system = machine?.systemd ?? openSystemd(roots.rootfs, clock, run);
  let user: UserSystemd | undefined;
  const cgroups = new CgroupTree(roots.sysfs, ownMounts);
  ownMounts.expire();
  return {
    // The name is read each time, because it may be set after the start.
    get name() {
      return machine?.name ?? hostname();
    },
    architecture: architecture(),
    rootfs: roots.rootfs,
    now: () => clock.now(),
    readProc,
    sys: new RootTree(roots.sysfs, { mounts: ownMounts, guard }),
    root,
    moduleDirectories: kernelModules === undefined ? MODULE_DIRECTORIES : [kernelModules],
    askMounts: (questions) => probe.ask(questions),
    runCommand: (command) => commands.run(command),
    cgroups,
    systemd: async () => {
      if (machine?.systemd !== undefined) return machine.systemd;
      if (!(await root.has(BOOTED_BY_SYSTEMD))) return undefined;
      await root.mustAnswer(SYSTEM_BUS);
      return system;
    },
    get userSystemd() {
      user ??= openUserSystemd(userUnits, clock, (path) => own.mustAnswer(path));
      return user;
    },
    get isHanging() {
      return mountThreads.taken > 0;
    },
    mustBeRead: (path) => {
      // This is called seldom, and then about a file whose mount may have appeared this second.
      ownMounts.expire();
      return own.mustBeRead(path);
    },
    close: () => {
      commands.close();
      reader.close();
      ownReader.close();
      cgroups.close();
      system.close();
      user?.systemd.close();
    },
  };
}

/** @throws UnreadableSourceError also when the mount does not answer */
async function readGuarded(guard: MountGuard, mount: string, file: string): Promise<string> {
  try {
    return await guard.run(mount, () => readLater(file, SOURCE_MAX_BYTES));
  } catch (error) {
    throw new UnreadableSourceError(file, error);
  }
}

function fileSystemType(option: string, root: string): number {
  try {
    return statfsSync(`${root}/`).type;
  } catch (error) {
    throw new StartError(`${option}: ${root} is not a directory that can be read: name another`, { cause: error });
  }
}
