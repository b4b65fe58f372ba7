/**
 * with-hung-mounts.ts DIRECTORY COUNT COMMAND [ARGUMENT...]
 * Mounts file systems that never answer at DIRECTORY/0 and so on, and becomes COMMAND.
 * Run it in a mount namespace of its own: nobody unmounts them, they go with the namespace.
 */
import { mkdirSync } from 'node:fs';
import koffi from 'koffi';

const O_RDWR = 2;

const [directory = '', count = '0', command = '', ...args] = process.argv.slice(2);
const libc = koffi.load('libc.so.6');
// Not Node's open: these descriptors have to survive into the command, where nobody reads requests from them.
const open = libc.func('int open(const char *path, int flags)');
const mount = libc.func(
  'int mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)',
);

for (let index = 0; index < Number(count); index += 1) {
  const target = `${directory}/${index}`;
  mkdirSync(target);
  const connection = open('/dev/fuse', O_RDWR);
  const options = `fd=${connection},rootmode=40000,user_id=0,group_id=0`;
  if (connection < 0 || mount('hung', target, 'fuse', 0, options) !== 0) throw new Error(`could not mount ${target}`);
}
process.execve?.(command, [command, ...args]);
