import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const VARIABLE = 'HOMEPORT_TEST_MARK';

/** Marks a process and all its descendants, so that leftovers are found even when their parent is gone. */
export interface Mark {
  env: Record<string, string>;
  /** Command lines of the marked processes that are alive. */
  alive(): string[];
}

export function createMark(): Mark {
  const mark = `${VARIABLE}=${randomUUID()}`;
  return {
    env: { [VARIABLE]: mark.slice(VARIABLE.length + 1) },
    alive: () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((pid) => commandOf(pid, mark)),
  };
}

function commandOf(pid: string, mark: string): string[] {
  try {
    const marked = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
    // An ended process that waits for its parent has no command line and is not a leftover.
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return marked && command !== '' ? [`${pid} ${command}`] : [];
  } catch {
    // It ended while we looked, so it is not a leftover.
    return [];
  }
}
