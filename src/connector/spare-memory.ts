import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_INTERVAL_MS = 20_000;
/** Less of a processor than this is no work that a pause of some 50 ms could disturb. */
const IDLE_CPU_SHARE = 0.1;
/** Less room than this is not worth one. */
const WORTHWHILE_BYTES = 8 * 1024 * 1024;

const MICROSECONDS_PER_MS = 1_000;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Gives back the room a busy time took, once it is over: V8 keeps it until it needs it, which an idle program never does.
 * After a thousand sessions were taken up this is most of the memory. Returns what ends it.
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
    // What the collection cost is no work.
    cpu = process.cpuUsage();
  }, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** @param leastBytes size of the heap after the last collection */
export function isWorthwhile(cpuShare: number, heapBytes: number, leastBytes: number): boolean {
  return cpuShare < IDLE_CPU_SHARE && heapBytes >= leastBytes + WORTHWHILE_BYTES;
}

/** Collects everything there is to collect, and shrinks the room for what is new, too. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
