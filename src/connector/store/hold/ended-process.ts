import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sqliteServer } from '../connect/sqlite.ts';
import type { Ended } from './membership.ts';

/** Identity that a run of the program leaves in its state directory. */
interface Trace {
  processId: string;
  /** The directory and its machine, so that a copy of it is not mistaken for it. */
  place: string;
  /** Id of the machine's boot. */
  boot?: string | undefined;
}

/** The run of the program that used a state directory before this one. */
export interface EndedProcess {
  /** Undefined if it is not known to have ended. */
  ended: Ended | undefined;
  release(): Promise<void>;
}

/**
 * Records which process uses the state directory from now on. A lock of the kernel, which ends with the process in
 * every case, proves that the previous run has ended: then its slot is free at once.
 */
export async function replaceProcess(
  stateDirectory: string,
  processId: string,
  boot = bootId(),
): Promise<EndedProcess> {
  const unknown = { ended: undefined, release: async () => undefined };
  try {
    const lock = await sqliteServer(join(stateDirectory, 'process')).claim('connector');
    if (lock === undefined) return unknown;
    const file = join(stateDirectory, 'process.json');
    const place = placeOf(stateDirectory);
    const before = readTrace(file);
    writeFileSync(file, JSON.stringify({ processId, place, boot } satisfies Trace), { mode: 0o600 });
    const isSameBoot = boot !== undefined && before?.boot === boot;
    return {
      ended: before?.place === place ? { processId: before.processId, isCertain: isSameBoot } : undefined,
      release: () => lock.release(),
    };
  } catch {
    // Without the trace a start after a crash takes a few seconds longer.
    return unknown;
  }
}

function readTrace(file: string): Trace | undefined {
  try {
    const { processId, place, boot } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Trace>;
    return processId === undefined || place === undefined ? undefined : { processId, place, boot };
  } catch {
    // Without a trace it is not certain that the process has ended.
    return undefined;
  }
}

function placeOf(stateDirectory: string): string {
  const { dev, ino } = statSync(stateDirectory);
  return [hostname(), machineId(), dev, ino].join(' ');
}

const machineId = (): string => textOf('/etc/machine-id') ?? '';
const bootId = (): string | undefined => textOf('/proc/sys/kernel/random/boot_id');

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // Without it no boot can be compared.
    return undefined;
  }
}
