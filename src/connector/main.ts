import { runProgram } from '../kernel/command-line.ts';
import { readSecretFile } from '../kernel/config/secret-file.ts';
import type { ReadSecret } from './database-choice.ts';

// Each command imports what it needs where it runs: `run` takes signals before it loads a hundred modules.

const readSecret: ReadSecret = (path, option) => readSecretFile(path, option, process.env['CREDENTIALS_DIRECTORY']);

const dryRun = { 'dry-run': { type: 'boolean', summary: 'only say what would be done' } } as const;

const textOf = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

await runProgram(
  {
    name: 'homeport-connector',
    summary: "gives AI agents access to one person's IRC through a bouncer",
    schema: async () => (await import('../../schemas/connector.ts')).connectorConfig,
    defaultConfigFile: '/etc/homeport/connector.json',
    commands: [
      {
        name: 'run',
        usage: '[run] [--config FILE]',
        summary: 'Runs the service until SIGTERM or SIGINT; SIGHUP reads the configuration again.',
        config: 'read',
        isService: true,
        run: async ({ config, load, signals, manager }) => {
          const { runService } = await import('./run-command.ts');
          return runService({ config, load, signals, manager, readSecret, environment: process.env });
        },
      },
      {
        name: 'migrate',
        usage: 'migrate [--from DATABASE --to DATABASE [--dry-run]] [--config FILE]',
        summary:
          'Brings the database up to date, as every start does. With --from and --to it moves an installation from SQLite to an empty PostgreSQL database, or back, and resumes a move that was interrupted.',
        config: 'read',
        options: {
          from: {
            type: 'string',
            value: 'DATABASE',
            summary: 'the database to move, as sqlite:FILE; it stays as it is',
          },
          to: {
            type: 'string',
            value: 'DATABASE',
            summary:
              'postgres: for the configured one, or such as postgres://ROLE@HOST:PORT/DATABASE, without a password',
          },
          ...dryRun,
        },
        run: async ({ config, options: { from, to, 'dry-run': isDryRun } }) => {
          if (from === undefined && to === undefined && isDryRun !== true) {
            return (await import('./migrate-command.ts')).runMigrate(config, readSecret);
          }
          const words = { from: textOf(from), to: textOf(to), isDryRun: isDryRun === true };
          return (await import('./move-command.ts')).runMove(config, words, readSecret);
        },
      },
      {
        name: 'doctor',
        usage: 'doctor [--config FILE]',
        summary:
          'Looks at everything the service needs: one line each, with what to do; exits 1 where something is wrong.',
        config: 'read',
        run: async ({ config }) => (await import('./doctor-command.ts')).runDoctor(config, readSecret, process.env),
      },
      {
        name: 'invite',
        usage: 'invite LOGIN [--channels LIST] [--new-person] [--config FILE]',
        summary:
          'Lets the person with this login in, or replaces the channels that they are granted; the running service does it.',
        config: 'read',
        wordsMin: 1,
        wordsMax: 1,
        options: {
          channels: {
            type: 'string',
            value: 'LIST',
            summary: 'separated by commas, with or without #; all of ircChannels unless given, none where empty',
          },
          'new-person': {
            type: 'boolean',
            summary: 'the login has passed to another person; who had it keeps their account without it',
          },
        },
        run: async ({ config, options, positionals: [login = ''] }) => {
          const { channels, 'new-person': isNewPerson } = options;
          const words = { login, channels: textOf(channels), isNewPerson: isNewPerson === true };
          return (await import('./invite-command.ts')).runInvite(config, words, readSecret);
        },
      },
      {
        name: 'rotate-keys',
        usage: 'rotate-keys [--config FILE]',
        summary:
          'Replaces the keys that encrypt what is stored; the next start uses the new ones. With keysFile it writes what that file is to hold.',
        config: 'read',
        run: async ({ config }) => (await import('./rotate-keys-command.ts')).runRotateKeys(config, readSecret),
      },
      {
        name: 'compact',
        usage: 'compact [--config FILE]',
        summary:
          'Writes the file of SQLite anew, as small as it can be, so that later deletions make it smaller; stop the service first.',
        config: 'read',
        run: async ({ config }) => (await import('./compact-command.ts')).runCompact(config, readSecret),
      },
      {
        name: 'install-units',
        usage: 'install-units [--dry-run] [--config FILE]',
        summary:
          'Makes the connector a service of systemd on this machine and starts it. Without a configuration it writes one to fill in, says how, and exits 78.',
        config: 'left',
        options: dryRun,
        run: async ({ configFile, options }) => {
          const { installUnits } = await import('./install/commands.ts');
          const [, main = ''] = process.argv;
          return installUnits({ configFile, main, isDryRun: options['dry-run'] === true }, tell);
        },
      },
      {
        name: 'uninstall-units',
        usage: 'uninstall-units [--dry-run]',
        summary: 'Stops the service and removes its unit; configuration, secrets and data stay.',
        config: 'refused',
        options: dryRun,
        run: async ({ options }) => {
          const { uninstallUnits } = await import('./install/commands.ts');
          return uninstallUnits({ isDryRun: options['dry-run'] === true }, tell);
        },
      },
    ],
  },
  process.argv.slice(2),
  { notifySocket: process.env['NOTIFY_SOCKET'], file: process.argv[1] },
);
