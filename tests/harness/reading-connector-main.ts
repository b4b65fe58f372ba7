import { connectorConfig } from '../../schemas/connector.ts';
import { startConnector } from '../../src/connector/connector.ts';
import { loadConfig } from '../../src/kernel/config/load-config.ts';
import { readSecretFile } from '../../src/kernel/config/secret-file.ts';
import { HeldSignals } from '../../src/kernel/held-signals.ts';
import { createLog } from '../../src/kernel/log.ts';

// The connector, which serves reads while another process has the slot: no configuration asks for that yet.
const [file = ''] = process.argv.slice(2);
const signals = new HeldSignals();
signals.hold();
const { value: config } = await loadConfig(file, connectorConfig, 'start');
await startConnector({
  ...{ config, soft: { inForce: config }, signals, environment: process.env },
  readSecret: (path, option) => readSecretFile(path, option, undefined),
  log: createLog('homeport-connector', config.logLevel),
  servesReads: true,
});
