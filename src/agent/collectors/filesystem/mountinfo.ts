import { UnparsableSourceError } from '../../errors.ts';

/** The kernel's default limit is 100,000 mounts in a namespace; proc_sys_fs(5), `mount-max`. */
const MOUNTS_MAX = 120_000;

/** One line of a mountinfo file; paths hold each byte as one character. @see proc_pid_mountinfo(5) */
export interface Mount {
  id: number;
  parentId: number;
  major: number;
  minor: number;
  /** Directory within the file system that is mounted; other than `/` for bind mounts and subvolumes. */
  root: string;
  mountPoint: string;
  fsType: string;
  source: string;
  /** The file system itself is read-only; its mounts cannot change that. */
  isReadOnly: boolean;
}

/**
 * Ids, device, root, mount point and options; then optional fields until a lone hyphen, the type the source,
 * which may be empty, and the options of the file system, of which `ro` or `rw` is the first. One pattern, because hosts of containers have a hundred thousand lines.
 */
const LINE = /^(\d+) (\d+) (\d+):(\d+) ([^ ]+) ([^ ]+) [^ ]+ (?:[^ ]+ )*?- ([^ ]+) ([^ ]*)(?: (ro)(?:,| |$))?/;

/** Mounts in the order of the file; lines of another form are skipped. @throws UnparsableSourceError for more than a host can have */
export function parseMountinfo(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split('\n')) {
    const mount = parseMount(line);
    if (mount !== undefined) mounts.push(mount);
    if (mounts.length > MOUNTS_MAX) throw new UnparsableSourceError('mountinfo', `at most ${MOUNTS_MAX} mounts`);
  }
  return mounts;
}

function parseMount(line: string): Mount | undefined {
  const [, id, parentId, major, minor, root = '', mountPoint = '', fsType = '', source = '', isReadOnly] =
    LINE.exec(line) ?? [];
  if (id === undefined) return undefined;
  return {
    id: Number(id),
    parentId: Number(parentId),
    major: Number(major),
    minor: Number(minor),
    root: unescapeOctal(root),
    mountPoint: unescapeOctal(mountPoint),
    fsType: unescapeOctal(fsType),
    source: unescapeOctal(source),
    isReadOnly: isReadOnly !== undefined,
  };
}

/** The kernel writes blanks, newlines and backslashes as `\ooo`. */
function unescapeOctal(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replace(/\\([0-3][0-7]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
