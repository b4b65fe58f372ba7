import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import { CallLog, type CallLogParts } from './admin/call-log.ts';
import { repeat } from './upkeep/repeat.ts';

/** Interval at which calls are stored for other processes. */
const STORE_MS = 1_000;
/** A database that hangs at the end is not waited for. */
const END_DEADLINE_MS = 500;

/** Opens the record of calls until the program ends; undefined if owners may not see calls. */
export function openCallLog(
  { adminEvents }: Pick<ConnectorConfig, 'adminEvents'>,
  parts: CallLogParts & { log: Logger },
  lifecycle: Lifecycle,
): CallLog | undefined {
  if (!adminEvents.enable) return undefined;
  const calls = new CallLog(parts);
  const failure = 'calls could not be stored for other processes';
  const storing = repeat({ failure, everyMs: STORE_MS, log: parts.log }, () => calls.store());
  const end = async (): Promise<void> => {
    await storing.close();
    // The calls of the last seconds serve diagnosis only, and may be lost.
    await calls.store().catch(() => undefined);
  };
  lifecycle.add('calls of clients', end, END_DEADLINE_MS);
  return calls;
}
