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
}

/** Fields before the optional ones, which a lone hyphen ends. */
const FIXED_FIELDS = 6;

/** Mounts in the order of the file; lines of another form are skipped. */
export function parseMountinfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => parseMount(line) ?? []);
}

function parseMount(line: string): Mount | undefined {
  const fields = line.split(' ');
  const hyphen = fields.indexOf('-', FIXED_FIELDS);
  const numbers = /^(\d{1,15}) (\d{1,15}) (\d{1,7}):(\d{1,7}) /.exec(line)?.slice(1).map(Number);
  const [, , , root, mountPoint] = fields;
  const fsType = fields[hyphen + 1];
  // The source may be empty, but its field is always there.
  const source = fields[hyphen + 2];
  if (hyphen === -1 || numbers === undefined || !root || !mountPoint || !fsType || source === undefined) {
    return undefined;
  }
  const [id = 0, parentId = 0, major = 0, minor = 0] = numbers;
  return {
    id,
    parentId,
    major,
    minor,
    root: unescapeOctal(root),
    mountPoint: unescapeOctal(mountPoint),
    fsType: unescapeOctal(fsType),
    source: unescapeOctal(source),
  };
}

/** The kernel writes blanks, newlines and backslashes as `\ooo`. */
function unescapeOctal(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replace(/\\([0-3][0-7]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
