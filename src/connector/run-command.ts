import { type ConnectorConfig, connectorConfig } from '../../schemas/connector.ts';
import { createReload, type ReloadOptions, type Secrets } from '../kernel/config/reload.ts';
import { pathText } from '../kernel/config/schema-paths.ts';
import { schemaTree } from '../kernel/config/schema-tree.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { createLog } from '../kernel/log.ts';
import { secretFilesIn } from '../kernel/systemd/credentials.ts';
import type { ServiceManager } from '../kernel/systemd/notify.ts';
import { CHANNEL_KEYS_OPTION, parseChannelKeys } from './channel-keys.ts';
import { startConnector } from './connector.ts';
import { databaseChoice, type Environment, type ReadSecret } from './database-choice.ts';
import type { SoftSettings } from './soft-settings.ts';
import { thisProcess } from './store/holder.ts';
import { whenDatabaseAnswers } from './when-database-answers.ts';

interface RunOptions {
  config: ConnectorConfig;
  /** Reads and checks the configuration again. */
  load: ReloadOptions<ConnectorConfig>['load'];
  signals: HeldSignals;
  manager: ServiceManager;
  readSecret: ReadSecret;
  environment: Environment;
}

/** Starts the service and returns when it serves; from then on signals control it. @throws StartError */
export async function runService({
  config,
  load,
  signals,
  manager,
  readSecret,
  environment,
}: RunOptions): Promise<undefined> {
  const log = createLog('homeport-connector', config.logLevel, process.stderr, processField(config));
  const soft: SoftSettings = { inForce: config };
  await whenDatabaseAnswers(databaseChoice(config, readSecret), { manager, log });
  await startConnector({ config, soft, readSecret, environment, log, signals });
  await manager.ready();
  const apply = (next: ConnectorConfig, contents: Secrets): void => {
    const keys = contents[CHANNEL_KEYS_OPTION];
    // The keys come first: invalid ones leave everything as it is.
    if (keys !== undefined) soft.channelKeys = parseChannelKeys(keys, next);
    soft.inForce = next;
    log.level = next.logLevel;
    soft.changed?.();
  };
  const read = (next: ConnectorConfig): Secrets => readSecrets(next, readSecret);
  // All other secrets are used at the start, by connections and keys that a reload leaves as they are.
  const reload = createReload({
    started: config,
    load,
    apply,
    secrets: { started: read(config), read, soft: [CHANNEL_KEYS_OPTION] },
    manager,
    log,
  });
  signals.onHangup(() => void reload());
  return undefined;
}

/** Names this process in its log as doctor and metrics do, where it may be one of several. */
const processField = ({ database }: Pick<ConnectorConfig, 'database'>): Record<string, string> =>
  'postgres' in database ? { process: thisProcess() } : {};

/** Returns the content of each secret file that a configuration names. @throws StartError */
function readSecrets(config: ConnectorConfig, readSecret: ReadSecret): Secrets {
  const files = secretFilesIn(schemaTree(connectorConfig), config);
  return Object.fromEntries(files.map(({ path, value }) => [pathText(path), readSecret(value, pathText(path))]));
}
