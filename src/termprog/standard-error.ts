import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { MessageTaker } from './diagnostics.ts';

const STANDARD_ERROR = 2;

/**
 * Where messages go. Node waits until a terminal has taken them; one that its user has stopped (Ctrl-S) would stop this
 * program too. So a terminal is opened once more, without waiting, and loses what it does not take at once.
 */
export function standardError(): MessageTaker {
  let device: number;
  try {
    // The module that knows terminals would load those for networks.
    if (!fstatSync(STANDARD_ERROR).isCharacterDevice()) return process.stderr;
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    device = openSync(`/proc/self/fd/${STANDARD_ERROR}`, flags);
  } catch {
    // Without /proc, or when the terminal is somebody else's.
    return process.stderr;
  }
  return {
    write: (text: string) => {
      try {
        writeSync(device, text);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
    },
  };
}
