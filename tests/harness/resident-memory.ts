import { readFileSync } from 'node:fs';

/** Resident memory of a process, in KiB. */
export function residentKiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
