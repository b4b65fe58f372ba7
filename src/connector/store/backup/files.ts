import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredFile } from './manifest.ts';

/** Bytes that are read and written at once; signals and timers get their turn in between. */
const CHUNK_BYTES = 4 * 2 ** 20;

/** Flushes a file or directory, because a power failure must not leave a name without its content. */
export function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Writes a new file, readable by its owner alone, and waits until the disk has it. */
export function writePrivate(path: string, text: string): void {
  const opened = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Computes the checksum of a whole file. @param seen is called with the bytes of each step */
export async function sumOfFile(descriptor: number, seen: (chunk: Buffer) => void): Promise<StoredFile> {
  const [hash, chunk] = [createHash('sha256'), Buffer.alloc(CHUNK_BYTES)];
  let bytes = 0;
  for (;;) {
    const count = readSync(descriptor, chunk, 0, chunk.length, bytes);
    if (count === 0) return { bytes, sha256: hash.digest('hex') };
    const read = chunk.subarray(0, count);
    hash.update(read);
    seen(read);
    bytes += count;
    await nextTurn();
  }
}

export const sumOfBytes = (bytes: Buffer): StoredFile => ({
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Computes the checksum of a file by its path, like `sumOfFile`. */
export async function sumOfPath(path: string, seen: (bytes: number) => void): Promise<StoredFile> {
  const opened = openSync(path, 'r');
  try {
    return await sumOfFile(opened, ({ length }) => seen(length));
  } finally {
    closeSync(opened);
  }
}

/** Copies an open file into a new one, readable by its owner alone; returns the checksum of what was written. */
export async function copyInto(descriptor: number, path: string, seen: (bytes: number) => void): Promise<StoredFile> {
  const opened = openSync(path, 'wx', 0o600);
  try {
    const sum = await sumOfFile(descriptor, (chunk) => {
      for (let done = 0; done < chunk.length; ) done += writeSync(opened, chunk, done);
      seen(chunk.length);
    });
    fsyncSync(opened);
    return sum;
  } finally {
    closeSync(opened);
  }
}

export const isSameFile = (one: StoredFile, other: StoredFile): boolean =>
  one.bytes === other.bytes && one.sha256 === other.sha256;
