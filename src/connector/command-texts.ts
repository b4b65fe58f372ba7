import { checkStartText, type ProgramText } from '../kernel/command-texts.ts';

const json = { json: { type: 'boolean', summary: 'print JSON, for programs' } } as const;

const dryRun = { 'dry-run': { type: 'boolean', summary: 'only say what would be done' } } as const;

/** The connector and its commands, as its help and its manual page describe them. */
export const connectorText = {
  name: 'homeport-connector',
  summary: "gives AI agents access to one person's IRC through a bouncer",
  defaultConfigFile: '/etc/homeport/connector.json',
  commands: [
    {
      name: 'run',
      usage: '[run] [--config FILE]',
      summary: 'Runs the service until SIGTERM or SIGINT; SIGHUP reads the configuration again.',
      config: 'read',
      isService: true,
    },
    {
      name: 'migrate',
      usage: 'migrate [--from DATABASE --to DATABASE [--dry-run]] [--json] [--config FILE]',
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
            'the empty database to fill, as postgres: for the configured one, or as postgres://ROLE@HOST:PORT/DATABASE without a password',
        },
        ...dryRun,
        ...json,
      },
    },
    {
      name: 'doctor',
      usage: 'doctor [--json] [--config FILE]',
      summary:
        'Looks at everything the service needs: one line each, with what to do; exits 1 where something is wrong.',
      config: 'read',
      options: json,
    },
    {
      name: 'invite',
      usage: 'invite LOGIN [--channels LIST] [--new-person] [--json] [--config FILE]',
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
        ...json,
      },
    },
    {
      name: 'backup',
      usage: 'backup --to DIR [--without-keys] [--config FILE]',
      summary:
        'Saves the database as it is at one moment, and the keys, while the service may run. The directory appears when it is complete, and is never written over. Root, or the account of the service, may run it.',
      config: 'read',
      options: {
        to: {
          type: 'string',
          summary: 'the directory to make, below one that exists; a disk that is not mounted is thus noticed',
        },
        'without-keys': {
          type: 'boolean',
          summary: 'leaves the keys out, where a copy of keys.json is kept elsewhere',
        },
      },
    },
    {
      name: 'restore',
      usage: 'restore --from DIR [--keys FILE] [--replace] [--config FILE]',
      summary:
        'Puts a backup in the place of the database, on SQLite or PostgreSQL, whichever it was made of; stop the service first. Nothing changes unless files, keys and version have been found right.',
      config: 'read',
      options: {
        from: { type: 'string', summary: 'the directory that backup has made' },
        keys: { type: 'string', value: 'FILE', summary: 'the keys of the backup, where they are kept elsewhere' },
        replace: {
          type: 'boolean',
          summary: 'takes the place of a database that is not empty, and keeps that one aside',
        },
      },
    },
    {
      name: 'rotate-keys',
      usage: 'rotate-keys [--config FILE]',
      summary:
        'Replaces the keys that encrypt what is stored; the next start uses the new ones. With keysFile it writes what that file is to hold.',
      config: 'read',
    },
    {
      name: 'compact',
      usage: 'compact [--config FILE]',
      summary:
        'Writes the file of SQLite anew, as small as it can be, so that later deletions make it smaller; stop the service first.',
      config: 'read',
    },
    {
      name: 'share-soju',
      usage: 'share-soju [--dry-run]',
      summary:
        "Lets the connector use soju's admin socket: writes a drop-in of soju.service, which gives the socket to a group at each start, and restarts soju.",
      config: 'refused',
      options: dryRun,
    },
    checkStartText,
    {
      name: 'install-units',
      usage: 'install-units [--dry-run] [--config FILE]',
      summary:
        'Makes the connector a service of systemd on this machine and starts it. Without a configuration it writes one to fill in, says how, and exits 78.',
      config: 'left',
      options: dryRun,
    },
    {
      name: 'uninstall-units',
      usage: 'uninstall-units [--dry-run]',
      summary: 'Stops the service and removes its unit; configuration, secrets and data stay.',
      config: 'refused',
      options: dryRun,
    },
  ],
} as const satisfies ProgramText;
