/**
 * with-hung-mounts.ts PATH[,PATH...] COMMAND [ARGUMENT...]
 * Mounts a file system that never answers at each directory, which it creates if missing, or file, then becomes COMMAND.
 * Run it in a mount namespace of its own: the mounts end with the namespace.
 */
import { mkdirSync, statSync } from 'node:fs';
import koffi from 'koffi';

const O_RDWR = 2;

const [paths = '', command = '', ...args] = process.argv.slice(2);
const libc = koffi.load('libc.so.6');
// Not Node's open: these descriptors have to survive into the command, where nobody reads requests from them.
const open = libc.func('int open(const char *path, int flags)');
const mount = libc.func(
  'int mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)',
);

for (const target of paths.split(',')) {
  const isFile = statSync(target, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile) mkdirSync(target, { recursive: true });
  const connection = open('/dev/fuse', O_RDWR);
  const options = `fd=${connection},rootmode=${isFile ? 100000 : 40000},user_id=0,group_id=0`;
  if (connection < 0 || mount('hung', target, 'fuse', 0, options) !== 0) throw new Error(`could not mount ${target}`);
}
process.execve?.(command, [command, ...args]);
