import { existsSync, readdirSync, statfsSync } from 'node:fs';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';
import { FileReader } from './file-reader.ts';
import type { OwnMounts } from './own-mounts.ts';
import { isUnitName } from './systemd/unit-name.ts';

/** Slices within slices; deeper ones hold no service of a sane machine. */
const DEPTH_MAX = 8;

/** Directories looked at in one walk, and services of which more would be too much for one answer. */
const DIRECTORIES_MAX = 20_000;
const SERVICES_MAX = 1_000;

/** `f_type` of control group file systems of both versions; statfs(2). */
const CGROUP_MAGICS: readonly number[] = [0x63677270, 0x27e0eb];

/** Two files of each service, and of all descriptors this process may have only a part: connections need some, too. */
const KEPT_MAX = 2 * SERVICES_MAX;
const KEPT_SHARE = 0.5;

/** A file or directory that is not there or no directory, or whose unit stopped while it was read. */
const GONE_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENODEV', 'ENOTDIR'];

export interface ServiceGroup {
  unit: string;
  /** Directory below the root of the hierarchy. */
  path: string;
}

export interface ServiceGroups {
  /** Sorted by unit, each once. */
  groups: ServiceGroup[];
  /** The hierarchy has more than a walk takes. */
  isCut: boolean;
  /** Why slices could not be looked into: each costs its own services alone. */
  problems: readonly string[];
}

/** The control groups of services, with the controller of memory. @see cgroups(7) */
export class CgroupTree {
  /** The second version has one hierarchy for all controllers, the first one for each. */
  readonly isUnified: boolean;
  readonly #root: string;
  readonly #reader: FileReader;
  readonly #mounts: Pick<OwnMounts, 'isUnsafeBelow'> | undefined;
  #keptPaths: readonly string[] = [];

  /** @param sysfs where sysfs is mounted @param mounts those that can hang; without it none does */
  constructor(sysfs: string, mounts?: Pick<OwnMounts, 'isUnsafeBelow'>) {
    const root = `${sysfs}/fs/cgroup`;
    this.#mounts = mounts;
    if (this.#isUnsafe(root)) {
      this.isUnified = true;
      this.#root = root;
      this.#reader = new FileReader(false);
      return;
    }
    this.isUnified = existsSync(`${root}/cgroup.controllers`);
    this.#root = this.isUnified ? root : `${root}/memory`;
    const isKernels = existsSync(this.#root) && CGROUP_MAGICS.includes(statfsSync(this.#root).type);
    this.#reader = new FileReader(isKernels, keptMax());
  }

  /**
   * All services, however deep their slices are. What is within a service belongs to it and is not looked at.
   * @throws UnreadableSourceError
   */
  services(): ServiceGroups {
    if (this.#isUnsafe(this.#root)) {
      throw new UnreadableSourceError(
        this.#root,
        new Error(
          'another program stands behind it or a directory in it and may never answer: give the agent control groups of the kernel',
        ),
      );
    }
    const groups = new Map<string, ServiceGroup>();
    const problems: string[] = [];
    let left = DIRECTORIES_MAX;
    let isCut = false;
    const walk = (slice: string, depth: number): void => {
      for (const name of this.#names(slice, problems)) {
        left -= 1;
        isCut ||= left < 0 || groups.size > SERVICES_MAX;
        if (isCut) return;
        const path = `${slice}/${name}`;
        const unit = unescaped(name);
        if (unit.endsWith('.slice') && depth < DEPTH_MAX) walk(path, depth + 1);
        else if (unit.endsWith('.service') && isUnitName(unit) && !groups.has(unit)) groups.set(unit, { unit, path });
      }
    };
    walk('', 0);
    const sorted = [...groups.values()].sort((a, b) => (a.unit < b.unit ? -1 : 1));
    return { groups: sorted.slice(0, SERVICES_MAX), isCut, problems };
  }

  /** A file of a group that tells one value; undefined when it or the group is not there. @throws UnreadableSourceError */
  read(group: ServiceGroup, file: string): string | undefined {
    try {
      return this.#reader.read(`${this.#root}${group.path}/${file}`, true);
    } catch (error) {
      if (error instanceof UnreadableSourceError && GONE_CODES.includes(systemCodeOf(error.cause))) return undefined;
      throw error;
    }
  }

  /** Lets go of the files of all other groups. */
  keepOnly(groups: readonly ServiceGroup[]): void {
    const paths = groups.map(({ path }) => path);
    if (paths.length === this.#keptPaths.length && paths.every((path, index) => path === this.#keptPaths[index]))
      return;
    this.#keptPaths = paths;
    const directories = new Set(paths.map((path) => `${this.#root}${path}`));
    this.#reader.keepOnly((path) => directories.has(path.slice(0, path.lastIndexOf('/'))));
  }

  close(): void {
    this.#reader.close();
  }

  #isUnsafe(directory: string): boolean {
    return this.#mounts?.isUnsafeBelow(directory) === true;
  }

  /**
   * Slices and services in a slice. That they are directories need not be asked: the kernel names no file so.
   * @param problems grows where this is not the root of the hierarchy @throws UnreadableSourceError
   */
  #names(slice: string, problems: string[]): string[] {
    const directory = `${this.#root}${slice}`;
    try {
      return readdirSync(directory).filter((name) => name.endsWith('.slice') || name.endsWith('.service'));
    } catch (error) {
      if (GONE_CODES.includes(systemCodeOf(error))) return [];
      const problem = new UnreadableSourceError(directory, error);
      if (slice === '') throw problem;
      problems.push(problem.message);
      return [];
    }
  }
}

/** As the soft limit of descriptors allows; getrlimit(2). */
function keptMax(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(new FileReader(false).read('/proc/self/limits'))?.[1];
    return limit === undefined ? KEPT_MAX : Math.min(KEPT_MAX, Math.floor(Number(limit) * KEPT_SHARE));
  } catch {
    // Not Linux, where there are no control groups either.
    return 0;
  }
}

/** systemd puts `_` before names that the kernel could take for a file of its own. */
function unescaped(name: string): string {
  return name.startsWith('_') ? name.slice(1) : name;
}
