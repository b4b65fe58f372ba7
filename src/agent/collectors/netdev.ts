import type { ReportNetCounters } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import { counter, type Family } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { firstOfEach, textOfBytes } from './names/byte-name.ts';

const SOURCE = '/proc/net/dev';

/** Lines above those of the interfaces. */
const HEADER_LINES = 2;

/** Counts behind the name of an interface: eight received, eight sent. */
const COLUMNS = 16;

/** Interfaces of one report; a machine with more has them made by a program. */
const INTERFACES_MAX = 4096;

/** Loopback, and the host's ends of containers, which come and go. @spec agent#resources-and-their-fields `counters` */
const IGNORED = /^(lo$|veth)/;

/** Metric after `node_network_` -> field of the report; its HELP is the metric's own name. @spec agent#metrics network family */
const METRICS = {
  receive_bytes: 'rxBytes',
  receive_errs: 'rxErrors',
  receive_drop: 'rxDropped',
  transmit_bytes: 'txBytes',
  transmit_errs: 'txErrors',
  transmit_drop: 'txDropped',
} as const satisfies Record<string, keyof ReportNetCounters>;

/** Traffic of the interfaces the report is about; lines of another form are skipped. @see proc_pid_net(5) @throws UnparsableSourceError */
export function parseNetdev(text: string): ReportNetCounters[] {
  const interfaces: ReportNetCounters[] = [];
  let understood = 0;
  const lines = text.split('\n').slice(HEADER_LINES);
  // What follows the last newline is nothing, or a line that was cut.
  lines.pop();
  for (const line of lines) {
    // The last colon: the name of an alias has one of its own.
    const colon = line.lastIndexOf(':');
    const device = line.slice(0, Math.max(0, colon)).trim();
    const columns = line
      .slice(colon + 1)
      .trim()
      .split(/ +/);
    if (device === '' || columns.length < COLUMNS || !columns.every((column) => /^\d{1,20}$/.test(column))) continue;
    understood += 1;
    if (!IGNORED.test(device) && interfaces.length < INTERFACES_MAX) interfaces.push(countersOf(device, columns));
  }
  if (understood === 0) throw new UnparsableSourceError(SOURCE, 'a line for each interface');
  return firstOfEach(interfaces, ({ device }) => device);
}

function countersOf(device: string, columns: readonly string[]): ReportNetCounters {
  const count = (column: number): number => Number(columns[column]);
  return {
    device: textOfBytes(device),
    rxBytes: count(0),
    txBytes: count(8),
    rxErrors: count(2),
    txErrors: count(10),
    rxDropped: count(3),
    txDropped: count(11),
  };
}

function familiesOf(interfaces: readonly ReportNetCounters[]): Family[] {
  return Object.entries(METRICS).map(([name, field]) =>
    counter(
      `node_network_${name}_total`,
      `Network device statistic ${name}.`,
      interfaces.map((counters) => ({ labels: { device: counters.device }, value: counters[field] })),
    ),
  );
}

export const netdev: Collector = {
  name: 'netdev',
  sections: ['counters'],
  collect: (host) => {
    const net = parseNetdev(host.readProc('net/dev'));
    return { sections: {}, counters: { net }, families: familiesOf(net) };
  },
};
