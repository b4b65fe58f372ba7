import { closeSync, fstatSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Descriptors of the standard streams. */
const STANDARD_STREAMS = [0, 1, 2];

/**
 * Closes the terminal from which this program was started; later output to it is impossible. At its end Node restores
 * such a terminal's initial settings, but an editor may run there by now, with its own.
 */
export function letGoOfStartingTerminal(): void {
  for (const descriptor of STANDARD_STREAMS) {
    try {
      // Pipes stay open: Node resets their non-blocking mode, which other writers would notice.
      if (!fstatSync(descriptor).isCharacterDevice()) continue;
      closeSync(descriptor);
      // The new descriptor gets the lowest free number, this one: native code waits forever at the end without it.
      openSync(devNull, 'r+');
    } catch {
      // It was closed already.
    }
  }
}
