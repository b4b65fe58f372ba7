import { systemClock } from '../kernel/clock.ts';
import { type CollectorOptions, createCollectors } from './collectors/index.ts';
import { endProcess } from './host/end-process.ts';
import type { OpenHost } from './host/host.ts';
import { createLog } from './log.ts';
import { Collection } from './report/collection.ts';
import { formatReport, type Terminal } from './report/report-table.ts';
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
  process.stdout.write(formatted(await collection.run(), form));
  return endProcess(0, host.isHanging);
}

/** NO_COLOR and a terminal without colours count. */
function terminal(output: NodeJS.WriteStream): Terminal {
  return { columns: output.columns, hasColours: output.isTTY && output.hasColors() };
}

function formatted(snapshot: Snapshot, form: PrintForm): string | Buffer {
  switch (form) {
    case 'table':
      return `${formatReport(snapshot.report, terminal(process.stdout))}\n`;
    case 'json':
      return `${JSON.stringify(snapshot.report, null, 2)}\n`;
    case 'metrics':
      return snapshot.metrics(systemClock.now(), 'identity');
  }
}
