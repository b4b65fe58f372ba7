import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * Text of a file without a wait for anything but its disk: opening a pipe waits for a writer, a terminal takes what is
 * typed there, and a device may have no end. Asks what was opened, so that nothing can take the file's place meanwhile.
 * @param check sees what the file is before it is read @throws Error for anything but a regular file
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
