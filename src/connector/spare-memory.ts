import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_INTERVAL_MS = 20_000;
/** Below this share of a processor the program counts as idle: a pause of some 50 ms then disturbs no client. */
const IDLE_CPU_SHARE = 0.1;
/** Smallest amount of spare memory that is worth a pause. */
const WORTHWHILE_BYTES = 8 * 1024 * 1024;

const MICROSECONDS_PER_MS = 1_000;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Returns memory to the system after a busy time; V8 alone would keep it while the program is idle. After a start with
 * a thousand sessions this is most of the memory. The result ends the watch.
 */
export function giveBackSpareMemory(): () => void {
  let leastBytes = 0;
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const cpuShare = (user + system) / MICROSECONDS_PER_MS / CHECK_INTERVAL_MS;
    if (!isWorthwhile(cpuShare, getHeapStatistics().total_heap_size, leastBytes)) return;
    collectGarbage();
    leastBytes = getHeapStatistics().total_heap_size;
    // The collection itself does not count as work.
    cpu = process.cpuUsage();
  }, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** @param leastBytes size of the heap after the last collection */
export function isWorthwhile(cpuShare: number, heapBytes: number, leastBytes: number): boolean {
  return cpuShare < IDLE_CPU_SHARE && heapBytes >= leastBytes + WORTHWHILE_BYTES;
}

/** Collects all garbage, and also shrinks the space for new objects. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
