import { readFileSync } from 'node:fs';
import type { Library } from './library.ts';

/**
 * Variable in which the launcher passes the soft limit of open files that this program was started with: Node raises it
 * to the hard limit before any of our code runs.
 */
export const OPEN_FILES_VARIABLE = 'TERMPROG_OPEN_FILES';

const RLIMIT_NOFILE = 7;

/** A lower limit leaves no room for the standard streams. */
const OPEN_FILES_MIN = 3;

/** Returns the soft limit from the launcher; undefined without a launcher. */
export function inheritedOpenFilesLimit(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  return readLimit(environment[OPEN_FILES_VARIABLE]);
}

/**
 * Returns the soft limit of the parent process, usually the one that this program was started with; undefined without
 * /proc.
 */
export function parentOpenFilesLimit(): number | undefined {
  try {
    return parseOpenFilesLimit(readFileSync(`/proc/${process.ppid}/limits`, 'utf8'));
  } catch {
    // The machine has no /proc, or the parent has ended.
    return undefined;
  }
}

/** Parses the soft limit in a file of limits; proc_pid_limits(5). */
export function parseOpenFilesLimit(limits: string): number | undefined {
  return readLimit(/^Max open files +(\d+)/m.exec(limits)?.[1]);
}

function readLimit(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Math.max(OPEN_FILES_MIN, Number(text)) : undefined;
}

/**
 * Runs a function while this program has another soft limit: posix_spawn(3) cannot set a child's limit, and the child
 * must have it from its first instruction. A limit that can't be set stays unchanged.
 */
export function createOpenFilesLimit(library: Library): <T>(softLimit: number, run: () => T) => T {
  const prlimit = library.find('int prlimit64(int pid, int resource, void *newLimits, void *oldLimits)');
  return (softLimit, run) => {
    const before = new BigUint64Array(2);
    if (prlimit(0, RLIMIT_NOFILE, null, before) !== 0) return run();
    const [, hardLimit = 0n] = before;
    const wanted = BigInt(softLimit);
    prlimit(0, RLIMIT_NOFILE, BigUint64Array.of(wanted < hardLimit ? wanted : hardLimit, hardLimit), null);
    try {
      return run();
    } finally {
      prlimit(0, RLIMIT_NOFILE, before, null);
    }
  };
}
