import type { ReportVmstat } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import { untyped } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { restOfLine } from './kernel-text/rest-of-line.ts';
import { whenRead } from './kernel-text/when-read.ts';

const SOURCE = '/proc/vmstat';

/** Field of the report -> key in `/proc/vmstat`, which the metric carries too. @spec agent#metrics vmstat family */
const KEYS = {
  oomKill: 'oom_kill',
  pswpin: 'pswpin',
  pswpout: 'pswpout',
  pgmajfault: 'pgmajfault',
} as const satisfies Record<keyof ReportVmstat, string>;

const keyNames = Object.entries(KEYS) as [keyof ReportVmstat, string][];

/** The report's counts of `/proc/vmstat`; one the kernel does not keep is left out. @see proc_vmstat(5) @throws UnparsableSourceError */
export function parseVmstat(text: string): ReportVmstat {
  const counts: ReportVmstat = {};
  for (const [field, key] of keyNames) {
    const count = restOfLine(text, `${key} `);
    if (count === undefined) continue;
    if (!/^\d{1,20}$/.test(count)) throw new UnparsableSourceError(SOURCE, `a count behind ${key}`);
    counts[field] = Number(count);
  }
  // Every kernel that has the file counts page faults in it.
  if (counts.pgmajfault === undefined) throw new UnparsableSourceError(SOURCE, 'a line pgmajfault');
  return counts;
}

export const vmstat: Collector = {
  name: 'vmstat',
  sections: ['counters'],
  collect: (host) =>
    whenRead(host.readProc('vmstat'), (text) => {
      const counts = parseVmstat(text);
      const families = keyNames.flatMap(([field, key]) => {
        const count = counts[field];
        return count === undefined
          ? []
          : [untyped(`node_vmstat_${key}`, `/proc/vmstat information field ${key}.`, count)];
      });
      return { sections: {}, counters: { vmstat: counts }, families };
    }),
};
