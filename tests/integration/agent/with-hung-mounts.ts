/**
 * with-hung-mounts.ts [known:]PATH[,[known:]PATH...] COMMAND [ARGUMENT...]
 * Mounts a file system that never answers at each directory, which it creates if missing, or file, then becomes COMMAND.
 * The kernel knows the owner, the mode and the size of a known one, as a client of NFS does for a minute after its server's end.
 * Run it in a mount namespace of its own: the mounts end with the namespace.
 */
import { mkdirSync, readSync, stat, statSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import koffi from 'koffi';

const O_RDWR = 2;

const [paths = '', command = '', ...args] = process.argv.slice(2);
const libc = koffi.load('libc.so.6');
// Node's open closes descriptors at exec; these have to survive into the command, which never reads requests from them.
const open = libc.func('int open(const char *path, int flags)');
const mount = libc.func(
  'int mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)',
);

/** Sizes of requests and answers in `linux/fuse.h`, in bytes. */
const HEADER = { request: 40, answer: 16 };
const [GETATTR, INIT] = [3, 26];
const ENOSYS = 38;
const HOUR_SECONDS = 3_600n;
const PRIVATE_FILE = 0o100600;

/** Answers what the kernel asks until it knows the file. */
async function makeKnown(connection: number, target: string): Promise<void> {
  const known = promisify(stat)(target);
  const request = Buffer.alloc(64 * 1024);
  for (let operation = 0; operation !== GETATTR; ) {
    readSync(connection, request);
    operation = request.readUInt32LE(4);
    const body = operation === INIT ? initAnswer() : operation === GETATTR ? attributesAnswer() : Buffer.alloc(0);
    const answer = Buffer.alloc(HEADER.answer);
    answer.writeUInt32LE(HEADER.answer + body.length, 0);
    // Newer kernels request more before.
    if (body.length === 0) answer.writeInt32LE(-ENOSYS, 4);
    request.copy(answer, 8, 8, 16);
    writeSync(connection, Buffer.concat([answer, body]));
  }
  await known;
}

function initAnswer(): Buffer {
  const body = Buffer.alloc(64);
  // Version 7.31, and the largest write.
  for (const [offset, value] of [
    [0, 7],
    [4, 31],
    [20, 4096],
  ] as const)
    body.writeUInt32LE(value, offset);
  return body;
}

function attributesAnswer(): Buffer {
  const body = Buffer.alloc(16 + 88);
  body.writeBigUInt64LE(HOUR_SECONDS, 0);
  // Inode, size, mode, links.
  body.writeBigUInt64LE(1n, 16);
  body.writeBigUInt64LE(100n, 24);
  body.writeUInt32LE(PRIVATE_FILE, 76);
  body.writeUInt32LE(1, 80);
  return body;
}

for (const named of paths.split(',')) {
  const isKnown = named.startsWith('known:');
  const target = isKnown ? named.slice('known:'.length) : named;
  const isFile = statSync(target, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile) mkdirSync(target, { recursive: true });
  const connection = open('/dev/fuse', O_RDWR);
  const options = `fd=${connection},rootmode=${isFile ? 100000 : 40000},user_id=0,group_id=0`;
  if (connection < 0 || mount('hung', target, 'fuse', 0, options) !== 0) throw new Error(`could not mount ${target}`);
  if (isKnown) await makeKnown(connection, target);
}
process.execve?.(command, [command, ...args]);
