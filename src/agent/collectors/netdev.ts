import type { ReportNetCounters } from '../../../schemas/report.ts';
import { UnparsableSourceError } from '../errors.ts';
import { counter, type Family } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { firstOfEach, textOfBytes } from './kernel-text/byte-name.ts';
import { countsOf } from './kernel-text/kernel-counts.ts';
import { whenRead } from './kernel-text/when-read.ts';

const SOURCE = '/proc/net/dev';

/** Lines above those of the interfaces. */
const HEADER_LINES = 2;

/** A name, which may contain colons, and eight counts each way. Those of bytes, errors and drops are kept. */
const LINE = /^ *([^ ].*): *(\d+) +\d+ +(\d+) +(\d+)(?: +\d+){4} +(\d+) +\d+ +(\d+) +(\d+)(?: +\d+){4}(?: |$)/;

/** Most interfaces of one report; the number of further ones is reported as a problem. */
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

/**
 * Traffic of the interfaces the report is about; lines of another form are skipped.
 * @param isLeftOut also leaves those out whose names it accepts
 * @see proc_pid_net(5)
 * @throws UnparsableSourceError
 */
export function parseNetdev(text: string, isLeftOut: (name: string) => boolean = () => false): ReportNetCounters[] {
  const interfaces: ReportNetCounters[] = [];
  let understood = 0;
  const lines = text.split('\n').slice(HEADER_LINES);
  // The text after the last newline is empty, or a line that was cut.
  lines.pop();
  for (const line of lines) {
    const [, device, ...digits] = LINE.exec(line) ?? [];
    const counts = countsOf(digits);
    if (device === undefined || counts === undefined) continue;
    understood += 1;
    if (!IGNORED.test(device) && !isLeftOut(textOfBytes(device))) interfaces.push(countersOf(device, counts));
  }
  if (understood === 0) throw new UnparsableSourceError(SOURCE, 'a line for each interface');
  return firstOfEach(interfaces, ({ device }) => device);
}

function countersOf(device: string, counts: readonly number[]): ReportNetCounters {
  const [rxBytes = 0, rxErrors = 0, rxDropped = 0, txBytes = 0, txErrors = 0, txDropped = 0] = counts;
  return { device: textOfBytes(device), rxBytes, txBytes, rxErrors, txErrors, rxDropped, txDropped };
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

/** @param isLeftOut see `parseNetdev` */
export const createNetdevCollector = (isLeftOut?: (name: string) => boolean): Collector => ({
  name: 'netdev',
  sections: ['counters'],
  collect: (host) =>
    whenRead(host.readProc('net/dev'), (text) => {
      const found = parseNetdev(text, isLeftOut);
      const net = found.slice(0, INTERFACES_MAX);
      const left = found.length - net.length;
      const problems = left > 0 ? [`${left} more than ${INTERFACES_MAX} network interfaces`] : [];
      return { sections: {}, counters: { net }, families: familiesOf(net), problems };
    }),
});
