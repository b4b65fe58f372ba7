import { connectorConfig } from '../../schemas/connector.ts';
import { runProgram } from '../kernel/command-line.ts';
import { readSecretFile } from '../kernel/secret-file.ts';
import type { ReadSecret } from './database-choice.ts';
import { runDoctor } from './doctor-command.ts';
import { runMigrate } from './migrate-command.ts';
import { runService } from './run-command.ts';

const readSecret: ReadSecret = (path, option) => readSecretFile(path, option, process.env['CREDENTIALS_DIRECTORY']);

await runProgram(
  {
    name: 'homeport-connector',
    summary: "gives AI agents access to one person's IRC through a bouncer",
    schema: async () => connectorConfig,
    defaultConfigFile: '/etc/homeport/connector.json',
    commands: [
      {
        name: 'run',
        usage: '[run] [--config FILE]',
        summary: 'Runs the service until SIGTERM or SIGINT; SIGHUP reads the configuration again.',
        config: 'read',
        run: ({ config, load }) => runService(config, load, readSecret),
      },
      {
        name: 'migrate',
        usage: 'migrate [--config FILE]',
        summary: 'Brings the database up to date, as every start does.',
        config: 'read',
        run: ({ config }) => runMigrate(config, readSecret),
      },
      {
        name: 'doctor',
        usage: 'doctor [--config FILE]',
        summary:
          'Looks at everything the service needs: one line each, with what to do; exits 1 where something is wrong.',
        config: 'read',
        run: ({ config }) => runDoctor(config, readSecret),
      },
    ],
  },
  process.argv.slice(2),
);
