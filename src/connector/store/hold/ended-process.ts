import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sqliteServer } from '../connect/sqlite.ts';

/** What a run of the program leaves in its state directory. */
interface Trace {
  processId: string;
  /** The directory and its machine: a copy of it says nothing. */
  place: string;
}

/** The run of the program that used a state directory before this one. */
export interface EndedProcess {
  /** It has ended for certain; undefined where that is not known. */
  processId: string | undefined;
  release(): Promise<void>;
}

/**
 * Leaves word which process uses the state directory from now on. A lock of the kernel, which ends with the process in every
 * case, shows that the one before has ended: then its slot is free at once.
 */
export async function replaceProcess(stateDirectory: string, processId: string): Promise<EndedProcess> {
  const unknown = { processId: undefined, release: async () => undefined };
  try {
    const lock = await sqliteServer(join(stateDirectory, 'process')).claim('connector');
    if (lock === undefined) return unknown;
    const file = join(stateDirectory, 'process.json');
    const place = placeOf(stateDirectory);
    const before = readTrace(file);
    writeFileSync(file, JSON.stringify({ processId, place } satisfies Trace), { mode: 0o600 });
    return {
      processId: before?.place === place ? before.processId : undefined,
      release: () => lock.release(),
    };
  } catch {
    // Without it a start after a crash takes a few seconds longer.
    return unknown;
  }
}

function readTrace(file: string): Trace | undefined {
  try {
    const { processId, place } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Trace>;
    return processId === undefined || place === undefined ? undefined : { processId, place };
  } catch {
    return undefined;
  }
}

function placeOf(stateDirectory: string): string {
  const { dev, ino } = statSync(stateDirectory);
  return [hostname(), machineId(), dev, ino].join(' ');
}

function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return '';
  }
}
