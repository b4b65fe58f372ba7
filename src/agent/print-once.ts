import { type CollectionConfig, collectionConfig } from '../../schemas/agent.ts';
import { systemClock } from '../kernel/clock.ts';
import { endProcess } from '../kernel/end-process.ts';
import { systemCodeOf } from '../kernel/errors.ts';
import { createLog } from '../kernel/log.ts';
import { Collection } from './collection/collection.ts';
import type { Snapshot } from './collection/snapshot.ts';
import { openCollectors } from './collectors/index.ts';
import { peerNames } from './collectors/programs/peer-labels.ts';
import type { OpenHost } from './host/host.ts';
import { formatReport, type Reader } from './printing/report-table.ts';

export type PrintForm = 'table' | 'json' | 'metrics';

/** Collects once, prints, and ends the process. */
export async function printOnce(
  host: OpenHost,
  form: PrintForm,
  config: CollectionConfig = collectionConfig.parse({}),
): Promise<never> {
  endCommandsOnSignals(host);
  // The report itself contains the failures.
  const log = createLog('homeport-agent', 'error');
  const collection = new Collection({ host, collectors: openCollectors()(config), clock: systemClock, log });
  const failure = await written(formatted(await collection.run(), form, config));
  if (failure !== undefined) process.stderr.write(`homeport-agent: could not print: ${failure.message}\n`);
  return endProcess(failure === undefined ? 0 : 1, host.isHanging);
}

/** Commands have process groups of their own, which no signal of a terminal reaches: one that hangs would outlive this process. */
function endCommandsOnSignals(host: OpenHost): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      host.close();
      // Ends by the signal, like a process without handlers.
      process.kill(process.pid, signal);
    });
  }
}

/** Writes the text. Resolves with the error, if any; a reader that closed the pipe early is not an error. */
function written(text: string | Buffer): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  // The callback gets the error, too; without a listener the event would end the process.
  process.stdout.once('error', () => undefined);
  process.stdout.write(text, (error) => resolve(systemCodeOf(error) === 'EPIPE' ? undefined : (error ?? undefined)));
  return promise;
}

/** NO_COLOR and a terminal without colours count. */
function readerOf(output: NodeJS.WriteStream, { agent, hosts }: CollectionConfig): Reader {
  return {
    peerNames: peerNames(agent.wgPeers, hosts.wgPeers),
    columns: output.columns,
    hasColours: output.isTTY && output.hasColors(),
  };
}

function formatted(snapshot: Snapshot, form: PrintForm, config: CollectionConfig): string | Buffer {
  switch (form) {
    case 'table':
      return `${formatReport(snapshot.report, readerOf(process.stdout, config))}\n`;
    case 'json':
      return `${JSON.stringify(snapshot.report, null, 2)}\n`;
    case 'metrics':
      return snapshot.metrics(systemClock.now(), 'identity');
  }
}
