import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

/** Signals by which a person or another program ends a script. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A shell reports the end by a signal as this number plus the signal's. */
const SIGNALLED_STATUS = 128;

const present = new Set<string>();

/** A folder that is removed with its content when it is no longer used, or when a signal ends the script. */
export interface ScratchFolder extends Disposable {
  path: string;
}

/** Makes a folder of a new name in `parent`. */
export function scratchFolder(parent: string, prefix: string): ScratchFolder {
  if (present.size === 0) for (const signal of SIGNALS) process.on(signal, endBy);
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, prefix));
  present.add(path);
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
      present.delete(path);
      if (present.size === 0) for (const signal of SIGNALS) process.off(signal, endBy);
    },
  };
}

function endBy(signal: NodeJS.Signals): void {
  for (const path of present) rmSync(path, { recursive: true, force: true });
  process.exit(SIGNALLED_STATUS + constants.signals[signal]);
}
