import { systemClock } from '../kernel/clock.ts';
import { type CollectorOptions, createCollectors, UNCONFIGURED } from './collectors/index.ts';
import { peerNames } from './collectors/programs/peer-labels.ts';
import { endProcess } from './host/end-process.ts';
import type { OpenHost } from './host/host.ts';
import { createLog } from './log.ts';
import { Collection } from './report/collection.ts';
import { formatReport, type Reader } from './report/report-table.ts';
import type { Snapshot } from './report/snapshot.ts';

export type PrintForm = 'table' | 'json' | 'metrics';

/**
 * Collects once, prints, and ends the process.
 * @param options those of a configuration, if there is one
 */
export async function printOnce(host: OpenHost, form: PrintForm, options?: CollectorOptions): Promise<never> {
  // What fails stands in the report itself.
  const log = createLog('homeport-agent', 'error');
  const collection = new Collection({ host, collectors: createCollectors(options), clock: systemClock, log });
  process.stdout.write(formatted(await collection.run(), form, options));
  return endProcess(0, host.isHanging);
}

/** NO_COLOR and a terminal without colours count. */
function readerOf(output: NodeJS.WriteStream, { wgPeers, networkWgPeers }: CollectorOptions): Reader {
  return {
    peerNames: peerNames(wgPeers, networkWgPeers),
    columns: output.columns,
    hasColours: output.isTTY && output.hasColors(),
  };
}

function formatted(snapshot: Snapshot, form: PrintForm, options: CollectorOptions = UNCONFIGURED): string | Buffer {
  switch (form) {
    case 'table':
      return `${formatReport(snapshot.report, readerOf(process.stdout, options))}\n`;
    case 'json':
      return `${JSON.stringify(snapshot.report, null, 2)}\n`;
    case 'metrics':
      return snapshot.metrics(systemClock.now(), 'identity');
  }
}
