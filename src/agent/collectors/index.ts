import type { Collector } from './collector.ts';
import { createCpuCollector } from './cpu.ts';
import { createDisksCollector } from './disks.ts';
import { createDiskstatsCollector } from './diskstats.ts';
import { kernel } from './kernel.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { netdev } from './netdev.ts';
import { os } from './os.ts';
import { packages } from './packages.ts';
import { createPressureCollector } from './pressure.ts';
import { system } from './system.ts';
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
    os,
    system,
    kernel,
    packages,
    createPressureCollector(),
    vmstat,
    createDiskstatsCollector(),
    netdev,
  ];
}
