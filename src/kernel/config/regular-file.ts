import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * Reads a regular file, which waits only for its disk. Opening a pipe would wait for a writer, a terminal would take
 * what is typed there, and a device may have no end. It checks the opened descriptor, so that no other file can take
 * its place meanwhile.
 * @param check gets the file's status before it is read @throws Error for anything but a regular file
 */
export function readRegularFile(file: string, check: (found: Stats) => void = () => undefined): string {
  const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    const found = fstatSync(descriptor);
    check(found);
    if (!found.isFile()) throw new Error('not a regular file');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
