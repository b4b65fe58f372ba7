import type { ConnectorConfig } from '../../schemas/connector.ts';
import { createLog } from '../kernel/log.ts';
import { reloadOnHangup } from '../kernel/reload.ts';
import { startConnector } from './connector.ts';
import type { ReadSecret } from './database-choice.ts';
import { SOFT_OPTIONS, type SoftSettings } from './soft-settings.ts';

/** Runs the service; returns when it serves, after which signals rule it. @param load reads the configuration again */
export async function runService(
  config: ConnectorConfig,
  load: () => Promise<ConnectorConfig>,
  readSecret: ReadSecret,
): Promise<undefined> {
  const log = createLog('homeport-connector', config.logLevel);
  const soft: SoftSettings = { inForce: config };
  // Before the start, which a signal that nobody takes would end.
  reloadOnHangup({
    started: config,
    load,
    soft: SOFT_OPTIONS,
    apply: (next) => {
      soft.inForce = next;
      log.level = next.logLevel;
    },
    log,
  });
  const lifecycle = await startConnector({ config, soft, readSecret, log });
  lifecycle.endOnSignals();
  return undefined;
}
