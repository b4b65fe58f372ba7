import { fstatSync, writeFileSync } from 'node:fs';
import { messageOf, systemCodeOf } from '../kernel/errors.ts';

/** Descriptor of standard output. */
const OUTPUT = 1;

/**
 * Prints a text that was requested instead of a window.
 * @param complain gets the reason for a missing part, unless there is no reader any more
 * @returns the exit status: 1 when the text could not be written completely
 */
export async function printText(text: string, complain: (line: string) => void): Promise<number> {
  try {
    await write(`${text}\n`);
    return 0;
  } catch (error) {
    if (systemCodeOf(error) !== 'EPIPE') complain(`termprog: not all of it could be written: ${messageOf(error)}\n`);
    return 1;
  }
}

async function write(text: string): Promise<void> {
  // Node's stream for a file reports success for a partial write to a full disk.
  if (isFile(OUTPUT)) return writeFileSync(OUTPUT, text);
  await new Promise<void>((resolve, reject) => {
    const { stdout } = process;
    stdout.on('error', reject);
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    // A closed standard output is no file; writing to it reports the failure.
    return false;
  }
}
