import type { Collector } from './collector.ts';
import { createCpuCollector } from './cpu.ts';
import { createDisksCollector } from './disks.ts';
import { createDiskstatsCollector } from './diskstats.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { netdev } from './netdev.ts';
import { createPressureCollector } from './pressure.ts';
import { uptime } from './uptime.ts';
import { vmstat } from './vmstat.ts';

/** Every collector once, in the order of the report's fields; those with a memory are new each time. */
export function createCollectors(): readonly Collector[] {
  return [
    uptime,
    load,
    createCpuCollector(),
    memory,
    createDisksCollector(),
    createPressureCollector(),
    vmstat,
    createDiskstatsCollector(),
    netdev,
  ];
}
