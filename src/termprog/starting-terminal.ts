import { closeSync, fstatSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Descriptors of the standard streams. */
const STANDARD_STREAMS = [0, 1, 2];

/**
 * Lets go of the terminal that this program was started from; nothing can be written to it any more. At its end Node
 * gives such a terminal the settings back that it had at the start, but an editor may run there by now, with its own.
 */
export function letGoOfStartingTerminal(): void {
  for (const descriptor of STANDARD_STREAMS) {
    try {
      // Pipes stay open: Node takes back that it made them non-blocking, which others who write to them would notice.
      if (!fstatSync(descriptor).isCharacterDevice()) continue;
      closeSync(descriptor);
      // It gets the lowest number that is free, this one: native parts wait for ever at the end where there is none.
      openSync(devNull, 'r+');
    } catch {
      // It was closed before.
    }
  }
}
