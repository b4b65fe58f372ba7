/** Mounts of this process itself, also when it reports on another machine's /proc; proc_pid_mountinfo(5). */
const SOURCE = '/proc/self/mountinfo';

/** File systems without a disk or a server behind them. */
const IN_MEMORY: readonly string[] = [
  ...['tmpfs', 'ramfs', 'devtmpfs', 'devpts', 'mqueue', 'hugetlbfs', 'proc', 'sysfs', 'cgroup', 'cgroup2', 'nsfs'],
  ...[
    'securityfs',
    'selinuxfs',
    'debugfs',
    'tracefs',
    'bpf',
    'configfs',
    'fusectl',
    'pstore',
    'efivarfs',
    'binfmt_misc',
  ],
];

/** The mounts are read at most once in this time, so that all files of one collection share one reading. */
const REREAD_AFTER_MS = 1_000;

interface OwnMount {
  device: string;
  point: string;
  type: string;
}

/**
 * Decides which files are on a mount that can hang while the root directory does not. `Host`, `RootTree` and
 * `CgroupTree` rely on it to keep such files off this thread.
 */
export class OwnMounts {
  readonly #root: string;
  readonly #read: (path: string) => string;
  readonly #now: () => number;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #text: string | undefined;
  #points: ReadonlySet<string> = new Set();
  #homePoints: ReadonlySet<string> = new Set();

  /**
   * @param root directory that holds the machine; if its own mount hangs, no report is possible
   * @param read a file of /proc as text, each byte as one character
   * @param now milliseconds of a clock that never steps back
   */
  constructor(root: string, read: (path: string) => string, now: () => number) {
    this.#root = root;
    this.#read = read;
    this.#now = now;
  }

  /** Whether no file needs a look at its mount. */
  get areAllSafe(): boolean {
    this.#refresh();
    return this.#points.size === 0;
  }

  /** The next question reads the mounts again, even within `REREAD_AFTER_MS`. */
  expire(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Whether a mount that can hang is at this directory, below it, or has it. @param directory without symbolic links */
  isUnsafeBelow(directory: string): boolean {
    return this.unsafePointOf(directory) !== undefined || [...this.#points].some((point) => isBelow(point, directory));
  }

  /** Whether the file system of the root directory is mounted there, and no other over it. @param point without symbolic links */
  isHome(point: string): boolean {
    const isUnsafe = this.unsafePointOf(point) !== undefined;
    return !isUnsafe && this.#homePoints.has(point === '/' ? '' : point);
  }

  /** Mount point of a file on a mount that can hang; undefined on others. @param file without symbolic links */
  unsafePointOf(file: string): string | undefined {
    this.#refresh();
    // The search goes from the file up: a host of containers has thousands of points, and a collection may ask about
    // thousands of files.
    for (let path = file; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      if (this.#points.has(path)) return path;
    }
    return this.#points.has('') ? '' : undefined;
  }

  #refresh(): void {
    const now = this.#now();
    if (now - this.#readAtMs < REREAD_AFTER_MS) return;
    this.#readAtMs = now;
    let text: string;
    try {
      text = this.#read(SOURCE);
    } catch {
      // This is not Linux, or the list is too long, so any file may be on a mount that hangs.
      this.#text = undefined;
      this.#points = new Set(['']);
      this.#homePoints = new Set();
      return;
    }
    if (text === this.#text) return;
    this.#text = text;
    const mounts = parseMounts(text);
    const home = homeOf(mounts, this.#root);
    this.#points = unsafePoints(mounts, this.#root, home);
    this.#homePoints = new Set(mounts.filter(({ device }) => device === home?.device).map(({ point }) => point));
  }
}

const isBelow = (file: string, point: string): boolean => file === point || file.startsWith(`${point}/`);

function parseMounts(text: string): OwnMount[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const [, , device, , point] = fields;
    const type = fields[fields.indexOf('-') + 1];
    if (device === undefined || point === undefined || type === undefined) return [];
    return [{ device, point: point === '/' ? '' : unescaped(point), type }];
  });
}

/** The kernel writes spaces, tabs, newlines and backslashes as three octal digits; bytes become text as paths do in Node. */
function unescaped(point: string): string {
  const bytes = point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The mount that holds the root directory. */
function homeOf(mounts: readonly OwnMount[], root: string): OwnMount | undefined {
  return mounts
    .filter(({ point }) => isBelow(root, point))
    .reduce<OwnMount | undefined>(
      (best, mount) => (mount.point.length >= (best?.point.length ?? 0) ? mount : best),
      undefined,
    );
}

function unsafePoints(mounts: readonly OwnMount[], root: string, home: OwnMount | undefined): Set<string> {
  return new Set(
    mounts
      .filter(
        ({ device, point, type }) => !isBelow(root, point) && device !== home?.device && !IN_MEMORY.includes(type),
      )
      .map(({ point }) => point),
  );
}
