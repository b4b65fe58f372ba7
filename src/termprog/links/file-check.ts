/** Endings of files that desktops run, install or follow instead of showing them, regardless of the permission bits. */
const RUN_BY_NAME: ReadonlySet<string> = new Set(
  `desktop kdelnk appimage run jar jnlp exe com bat cmd msi msp scr pif lnk cpl hta reg vbs vbe jse wsf wsh ps1 psm1
  application action gadget url webloc flatpakref flatpakrepo snap`.split(/\s+/),
);

/** Beginnings of files that desktops run because of their content: menu entries, and programs of Windows and MS-DOS. */
const ENTRY = /^\s*(?:#[^\n]*\n\s*)*\[(?:Desktop Entry|KDE Desktop Entry)\]/;
const WINDOWS_PROGRAM = /^MZ/;
const READ_BYTES = 4_096;

/** Execute permission for any user; chmod(2). */
const EXECUTE_BITS = 0o111;

/** A disk of another machine may not answer. */
const DEADLINE_MS = 3_000;

/** A file that may be opened, by the path with symbolic links resolved, or the reason for its refusal. */
export type CheckedFile = { path: string } | { refusal: string };

/** Examines a file before the desktop opens it: a file that the desktop would run is refused. It never rejects. */
export async function checkFile(path: string): Promise<CheckedFile> {
  const { promise: late, resolve } = Promise.withResolvers<CheckedFile>();
  const timer = setTimeout(
    () => resolve({ refusal: `its file can't be looked at within ${DEADLINE_MS / 1000} s` }),
    DEADLINE_MS,
  );
  const looked = lookAt(path).catch((error: unknown): CheckedFile => ({ refusal: reasonOf(error) }));
  return Promise.race([looked, late]).finally(() => clearTimeout(timer));
}

async function lookAt(written: string): Promise<CheckedFile> {
  const { open, realpath, stat } = process.getBuiltinModule('node:fs/promises');
  const path = await realpath(written);
  if ([written, path].some(isRunByName)) return { refusal: 'it is a file that the desktop would run' };
  const found = await stat(path);
  if (found.isDirectory()) return { path };
  if (!found.isFile()) return { refusal: 'it is neither a file nor a folder' };
  if ((found.mode & EXECUTE_BITS) !== 0) return { refusal: 'it is a file that can be executed' };
  // Opened without blocking: a pipe may have replaced the file since it was examined.
  const { O_RDONLY, O_NONBLOCK } = process.getBuiltinModule('node:fs').constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    const beginning = buffer.toString('latin1', 0, bytesRead);
    const isRun = ENTRY.test(beginning) || WINDOWS_PROGRAM.test(beginning);
    return isRun ? { refusal: 'it is a file that the desktop would run' } : { path };
  } finally {
    await file.close();
  }
}

function isRunByName(path: string): boolean {
  const name = path.replace(/[/. ]+$/, '').replace(/^.*\//, '');
  const dot = name.lastIndexOf('.');
  return dot >= 0 && RUN_BY_NAME.has(name.slice(dot + 1).toLowerCase());
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES') return 'its file may not be read';
  return `its file can't be looked at: ${error instanceof Error ? error.message : String(error)}`;
}
