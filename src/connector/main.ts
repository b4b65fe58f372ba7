import { runProgram } from '../kernel/command-line.ts';
import { readSecretFile } from '../kernel/config/secret-file.ts';
import { connectorText } from './command-texts.ts';
import type { ReadSecret } from './database-choice.ts';

// Each command imports its modules where it runs: `run` takes signals before it loads a hundred modules.

const readSecret: ReadSecret = (path, option) => readSecretFile(path, option, process.env['CREDENTIALS_DIRECTORY']);

const textOf = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await runProgram(
  {
    text: connectorText,
    schema: async () => (await import('../../schemas/connector.ts')).connectorConfig,
    runs: {
      run: async ({ config, load, signals, manager }) => {
        const { runService } = await import('./run-command.ts');
        return runService({ config, load, signals, manager, readSecret, environment: process.env });
      },
      migrate: async ({ config, options: { from, to, 'dry-run': isDryRun, json: isJson } }) => {
        if (from === undefined && to === undefined && isDryRun !== true) {
          return (await import('./migrate-command.ts')).runMigrate(config, readSecret, isJson === true);
        }
        const words = { from: textOf(from), to: textOf(to), isDryRun: isDryRun === true, isJson: isJson === true };
        return (await import('./move-command.ts')).runMove(config, words, readSecret);
      },
      doctor: async ({ config, options: { json } }) => {
        const { runDoctor } = await import('./doctor-command.ts');
        return runDoctor(config, readSecret, { environment: process.env, isJson: json === true });
      },
      invite: async ({ config, options, positionals: [login = ''] }) => {
        const { channels, 'new-person': isNewPerson, json } = options;
        const words = {
          ...{ login, channels: textOf(channels) },
          ...{ isNewPerson: isNewPerson === true, isJson: json === true },
        };
        return (await import('./invite-command.ts')).runInvite(config, words, readSecret);
      },
      backup: async ({ config, options: { to, 'without-keys': withoutKeys } }) => {
        const words = { to: textOf(to), withoutKeys: withoutKeys === true };
        return (await import('./backup-command.ts')).runBackup(config, words, readSecret);
      },
      restore: async ({ config, options: { from, keys, replace } }) => {
        const words = { from: textOf(from), keys: textOf(keys), mayReplace: replace === true };
        return (await import('./restore-command.ts')).runRestore(config, words, readSecret);
      },
      'rotate-keys': async ({ config }) => (await import('./rotate-keys-command.ts')).runRotateKeys(config, readSecret),
      compact: async ({ config }) => (await import('./compact-command.ts')).runCompact(config, readSecret),
      'check-start': async ({ config }) => {
        const { runCheckStart } = await import('./check-start-command.ts');
        return runCheckStart(config, readSecret, { environment: process.env, file: process.argv[1] ?? '' }, print);
      },
      'install-units': async ({ configFile, options }) => {
        const { installUnits } = await import('./install/commands.ts');
        const [, main = ''] = process.argv;
        return installUnits({ configFile, main, isDryRun: options['dry-run'] === true }, print);
      },
      'share-soju': async ({ options }) => {
        const { shareSoju } = await import('./install/share-soju.ts');
        return shareSoju({ isDryRun: options['dry-run'] === true }, print);
      },
      'uninstall-units': async ({ options }) => {
        const { uninstallUnits } = await import('./install/commands.ts');
        return uninstallUnits({ isDryRun: options['dry-run'] === true }, print);
      },
    },
  },
  process.argv.slice(2),
  { notifySocket: process.env['NOTIFY_SOCKET'], file: process.argv[1] },
);
