import type { ReportMemory } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import { type Family, gauge } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { restOfLine } from './kernel-text/rest-of-line.ts';
import { whenRead } from './kernel-text/when-read.ts';

const SOURCE = '/proc/meminfo';

/** Bytes in what the kernel calls a kB. */
const KIB = 1024;

/** Field of the report -> name in `/proc/meminfo`, which the metric carries too. @spec agent#metrics memory family */
const fields = {
  totalKB: 'MemTotal',
  availableKB: 'MemAvailable',
  freeKB: 'MemFree',
  buffersKB: 'Buffers',
  cachedKB: 'Cached',
  shmemKB: 'Shmem',
  dirtyKB: 'Dirty',
  swapTotalKB: 'SwapTotal',
  swapFreeKB: 'SwapFree',
} as const satisfies Record<keyof ReportMemory, string>;

const fieldNames = Object.entries(fields) as [keyof ReportMemory, string][];

/**
 * The report's fields of `/proc/meminfo`, in KiB; a field that the kernel lacks is left out. @see proc_meminfo(5)
 * @throws UnparsableSourceError
 */
export function parseMeminfo(text: string): ReportMemory {
  const memory: Partial<ReportMemory> = {};
  for (const [field, name] of fieldNames) {
    const kib = kibOf(text, name);
    if (kib !== undefined) memory[field] = kib;
  }
  const { totalKB } = memory;
  if (totalKB === undefined) throw new UnparsableSourceError(SOURCE, 'a line MemTotal');
  return { ...memory, totalKB };
}

function kibOf(text: string, name: string): number | undefined {
  const rest = restOfLine(text, `${name}:`);
  if (rest === undefined) return undefined;
  const number = /^ *(\d+) kB$/.exec(rest)?.[1];
  if (number === undefined) throw new UnparsableSourceError(SOURCE, `${name} in kB`);
  return Number(number);
}

function familiesOf(memory: ReportMemory): Family[] {
  return fieldNames.flatMap(([field, name]) => {
    const kib = memory[field];
    return kib === undefined
      ? []
      : [gauge(`node_memory_${name}_bytes`, `Memory information field ${name}_bytes.`, kib * KIB)];
  });
}

export const memory: Collector = {
  name: 'memory',
  sections: ['memory'],
  collect: (host) =>
    whenRead(host.readProc('meminfo'), (text) => {
      const found = parseMeminfo(text);
      return { sections: { memory: found }, families: familiesOf(found) };
    }),
};
