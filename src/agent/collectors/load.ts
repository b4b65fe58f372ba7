import { UnparsableSourceError } from '../errors.ts';
import { gauge } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { whenRead } from './kernel-text/when-read.ts';

/** Mean run-queue length over 1, 5 and 15 minutes. */
export type LoadAverage = [one: number, five: number, fifteen: number];

/** The first three fields of `/proc/loadavg`. @see proc_loadavg(5) @throws UnparsableSourceError */
export function parseLoadavg(text: string): LoadAverage {
  const fields = text.split(' ', 3);
  const [one = Number.NaN, five = Number.NaN, fifteen = Number.NaN] = fields.map(Number);
  if (!fields.every((field) => /^\d+(\.\d+)?$/.test(field)) || Number.isNaN(fifteen)) {
    throw new UnparsableSourceError('/proc/loadavg', 'three load averages');
  }
  return [one, five, fifteen];
}

/** @spec agent#metrics CPU family */
export const load: Collector = {
  name: 'load',
  sections: ['load'],
  collect: (host) =>
    whenRead(host.readProc('loadavg'), (text) => {
      const averages = parseLoadavg(text);
      const [one, five, fifteen] = averages;
      return {
        sections: { load: averages },
        families: [
          gauge('node_load1', '1m load average.', one),
          gauge('node_load5', '5m load average.', five),
          gauge('node_load15', '15m load average.', fifteen),
        ],
      };
    }),
};
