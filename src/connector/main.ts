import { connectorConfig } from '../../schemas/connector.ts';
import { runProgram } from '../kernel/command-line.ts';
import { createLog } from '../kernel/log.ts';
import { readSecretFile } from '../kernel/secret-file.ts';
import { startConnector } from './connector.ts';

await runProgram(
  {
    name: 'homeport-connector',
    summary: 'gives AI agents access to one person’s IRC through a bouncer',
    schema: async () => connectorConfig,
    defaultConfigFile: '/etc/homeport/connector.json',
    commands: [
      {
        name: 'run',
        usage: '[run] [--config FILE]',
        summary: 'Runs the service until SIGTERM or SIGINT.',
        needsConfig: true,
        run: async ({ config }) => {
          const log = createLog('homeport-connector', config.logLevel);
          const credentials = process.env['CREDENTIALS_DIRECTORY'];
          const lifecycle = await startConnector(
            config,
            (path, option) => readSecretFile(path, option, credentials),
            log,
          );
          lifecycle.endOnSignals();
          return undefined;
        },
      },
    ],
  },
  process.argv.slice(2),
);
