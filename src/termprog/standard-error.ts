import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { MessageTaker } from './diagnostics.ts';

const STANDARD_ERROR = 2;

/**
 * Returns the destination of messages. Node blocks until a terminal has accepted them, so that one which its user has
 * stopped (Ctrl-S) would stop this program too. Therefore a terminal is opened again in non-blocking mode, and loses
 * the rest of a message.
 */
export function standardError(): MessageTaker {
  let device: number;
  try {
    // The module for terminals would load those for networks.
    if (!fstatSync(STANDARD_ERROR).isCharacterDevice()) return process.stderr;
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    device = openSync(`/proc/self/fd/${STANDARD_ERROR}`, flags);
  } catch {
    // Without /proc, or when the terminal belongs to another user.
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
