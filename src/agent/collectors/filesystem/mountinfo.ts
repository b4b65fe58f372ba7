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
  const [id, parentId, device, root, mountPoint] = fields;
  const fsType = fields[hyphen + 1];
  // The source may be empty, but its field is always there.
  const source = fields[hyphen + 2];
  if (hyphen === -1 || root === undefined || mountPoint === undefined || !fsType || source === undefined) {
    return undefined;
  }
  const [major, minor] = (device ?? '').split(':').map(Number);
  if (!Number.isInteger(major) || !Number.isInteger(minor)) return undefined;
  return {
    id: Number(id),
    parentId: Number(parentId),
    major: Number(major),
    minor: Number(minor),
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
