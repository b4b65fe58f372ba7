import { existsSync, readdirSync, statfsSync } from 'node:fs';
import { systemCodeOf } from '../../kernel/errors.ts';
import { UnreadableSourceError } from '../errors.ts';
import { FileReader } from './file-reader.ts';
import type { OwnMounts } from './own-mounts.ts';
import { isUnitName } from './systemd/unit-name.ts';

/** Levels of slices within slices that are visited; no real machine has services in deeper ones. */
const DEPTH_MAX = 8;

/** Most directories visited in one walk, and most services in one answer. */
const DIRECTORIES_MAX = 20_000;
const SERVICES_MAX = 1_000;

/** `f_type` of control group file systems of both versions; statfs(2). */
const CGROUP_MAGICS: readonly number[] = [0x63677270, 0x27e0eb];

/**
 * Files kept open: two of each service, but at most half of this process's descriptors, because connections need some,
 * too.
 */
const KEPT_MAX = 2 * SERVICES_MAX;
const KEPT_SHARE = 0.5;

/** Error codes of a path that is absent or no directory, or whose unit stopped during the reading. */
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
  /** Why slices could not be read; only the services of these slices are missing. */
  problems: readonly string[];
}

/**
 * Reads the control groups of services, with the controller of memory. It keeps files of known groups open between
 * collections. @see cgroups(7)
 */
export class CgroupTree {
  /** The second version has one hierarchy for all controllers, the first one for each. */
  readonly isUnified: boolean;
  readonly #root: string;
  readonly #reader: FileReader;
  readonly #mounts: Pick<OwnMounts, 'isUnsafeBelow'> | undefined;
  #keptPaths: readonly string[] = [];

  /**
   * @param sysfs where sysfs is mounted @param mounts finds mounts that can hang; without it no mount is expected to
   */
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
   * All services, however deep their slices are. Groups within a service belong to it and are not visited.
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

  /**
   * Text of a group's file with one value; undefined when the file or the group is not there.
   * @throws UnreadableSourceError
   */
  read(group: ServiceGroup, file: string): string | undefined {
    try {
      return this.#reader.read(`${this.#root}${group.path}/${file}`, true);
    } catch (error) {
      if (error instanceof UnreadableSourceError && GONE_CODES.includes(systemCodeOf(error.cause))) return undefined;
      throw error;
    }
  }

  /** Closes the kept files of all other groups. */
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
   * Names of slices and services in a slice. No check for directories is needed: the kernel gives no file such a name.
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

/** Most files to keep open under the soft limit of descriptors; getrlimit(2). */
function keptMax(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(new FileReader(false).read('/proc/self/limits'))?.[1];
    return limit === undefined ? KEPT_MAX : Math.min(KEPT_MAX, Math.floor(Number(limit) * KEPT_SHARE));
  } catch {
    // This is not Linux, so there are no control groups either.
    return 0;
  }
}

/** systemd puts `_` before names that the kernel could take for a file of its own. */
function unescaped(name: string): string {
  return name.startsWith('_') ? name.slice(1) : name;
}
