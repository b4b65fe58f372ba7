import type { ConnectorConfig } from '../../schemas/connector.ts';
import { createReload, type ReloadOptions } from '../kernel/config/reload.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { createLog } from '../kernel/log.ts';
import { startConnector } from './connector.ts';
import type { ReadSecret } from './database-choice.ts';
import type { SoftSettings } from './soft-settings.ts';

interface RunOptions {
  config: ConnectorConfig;
  /** Reads the configuration again. */
  load: ReloadOptions<ConnectorConfig>['load'];
  signals: HeldSignals;
  readSecret: ReadSecret;
}

/** Starts the service and returns when it serves; from then on signals control it. @throws StartError */
export async function runService({ config, load, signals, readSecret }: RunOptions): Promise<undefined> {
  const log = createLog('homeport-connector', config.logLevel);
  const soft: SoftSettings = { inForce: config };
  const lifecycle = await startConnector({ config, soft, readSecret, log });
  lifecycle.endOnSignals(signals);
  const apply = (next: ConnectorConfig): void => {
    soft.inForce = next;
    log.level = next.logLevel;
    soft.changed?.();
  };
  const reload = createReload({ started: config, load, apply, log });
  signals.onHangup(() => void reload());
  return undefined;
}
