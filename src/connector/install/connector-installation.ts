import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ConnectorConfig, connectorConfig } from '../../../schemas/connector.ts';
import { loadConfig } from '../../kernel/config/load-config.ts';
import { schemaTree } from '../../kernel/config/schema-tree.ts';
import { readSecretFile } from '../../kernel/config/secret-file.ts';
import { type Credential, credentialsOf, loadCredential, randomToken } from '../../kernel/systemd/credentials.ts';
import { connectorLifecycle, type Directives, serviceHardening, startLimits } from '../../kernel/systemd/hardening.ts';
import type { ServiceInstallation } from '../../kernel/systemd/install-command.ts';
import { installedProgram } from '../../kernel/systemd/installed-program.ts';
import { hiddenBy, obstacleOf } from '../../kernel/systemd/obstacle.ts';
import { spelled } from '../../kernel/systemd/run-command.ts';
import { commandLine, unitText } from '../../kernel/systemd/unit-file.ts';
import { exampleConfig, firstConfig, firstSteps } from './first-config.ts';
import { localOnly, STATE_ROOT } from './local-only.ts';
import { SOJU_GROUP, sojuNote } from './soju-note.ts';

export const PROGRAM = 'homeport-connector';

const UNIT = 'homeport-connector.service';

/** All units that an installation may have. */
export const CONNECTOR_UNITS = [UNIT] as const;

/**
 * Static account, for a PostgreSQL server that admits an account as the role of the same name: the server must find the
 * account.
 */
const ACCOUNT = 'homeport-connector';

/** Line of sysusers.d(5) that makes soju's group. */
export const SOJU_GROUP_ENTRY = `g ${SOJU_GROUP} -`;

export interface ConnectorInstallOptions {
  configFile: string;
  /** The program as it was started: its bundle or its source. */
  main: string;
}

/** The service of a configuration; its unit equals that of the NixOS module. @throws StartError, ConfigError */
export async function connectorInstallation({
  main,
  ...options
}: ConnectorInstallOptions): Promise<ServiceInstallation> {
  const configFile = resolve(options.configFile);
  const isFirst = !existsSync(configFile);
  const config = isFirst ? connectorConfig.parse(exampleConfig) : (await loadConfig(configFile, connectorConfig)).value;
  localOnly(config);
  const program = installedProgram(PROGRAM, main);
  // Secrets are kept beside the configuration.
  const privateFolder = `${dirname(configFile)}/secrets`;
  const credentials = credentialsOf(schemaTree(connectorConfig), config, (name) => `${privateFolder}/${name}`);
  const adminToken = credentials.find(({ option }) => option === 'adminTokenFile')?.file;
  return {
    listen: config.listen,
    notes: (noted) => [
      ...(adminToken === undefined ? [] : [`its admin token is in ${adminToken}`]),
      ...(sojuNote(config.bouncer.soju.adminSocket) ?? noted),
      `check everything it needs with: ${spelled(['sudo', `CREDENTIALS_DIRECTORY=${privateFolder}`, program, 'doctor', '--config', configFile])}`,
    ],
    obstacle: obstacleOf(
      [
        { path: program, remedy: 'move the installation, for example below /opt' },
        { path: configFile, remedy: 'put it where everybody may read it, as /etc/homeport/connector.json' },
        ...authorities(config),
      ],
      hiddenBy(serviceHardening.connector),
    ),
    ...(isFirst ? { firstSteps: firstSteps(configFile, privateFolder) } : {}),
    requireReady: () => requireSecrets(credentials, privateFolder),
    privateFolder,
    firstFiles: [
      { path: configFile, text: `${JSON.stringify(firstConfig, null, 2)}\n`, isSecret: false },
      ...(adminToken === undefined ? [] : [{ path: adminToken, text: randomToken(), isSecret: true }]),
    ],
    watched: [configFile, ...credentials.map(({ file }) => file), main],
    units: { [UNIT]: serviceText(config, commandLine(program, 'run', '--config', configFile), credentials) },
    known: CONNECTOR_UNITS,
    accounts: [SOJU_GROUP_ENTRY, ...(isKnownToServer(config) ? [`u ${ACCOUNT} - "Homeport connector" - -`] : [])],
    started: [UNIT],
    trial: { unit: UNIT, command: commandLine(program, 'check-start', '--config', configFile) },
  };
}

function serviceText(config: ConnectorConfig, command: string, credentials: readonly Credential[]): string {
  return unitText({
    Unit: {
      Description: 'Homeport connector: IRC for AI agents',
      Wants: 'network-online.target soju.service',
      After: `network-online.target soju.service${isKnownToServer(config) ? ' postgresql.service' : ''}`,
      ...startLimits,
    },
    Service: {
      ...connectorLifecycle,
      ExecStart: command,
      ExecReload: '/bin/kill -HUP $MAINPID',
      // Several options may name the same secret.
      LoadCredential: [...new Set(credentials.map(loadCredential))],
      StateDirectory: config.stateDirectory.slice(STATE_ROOT.length),
      SupplementaryGroups: SOJU_GROUP,
      ...serviceHardening.connector,
      ...(isKnownToServer(config) ? { DynamicUser: false, User: ACCOUNT } : {}),
    } satisfies Directives,
    Install: { WantedBy: 'multi-user.target' },
  });
}

/** Whether PostgreSQL identifies the service by its account, over a socket of this machine. */
function isKnownToServer({ database }: ConnectorConfig): boolean {
  return (
    'postgres' in database && database.postgres.host.startsWith('/') && database.postgres.passwordFile === undefined
  );
}

function authorities({ database }: ConnectorConfig): { path: string; remedy: string }[] {
  const file = 'postgres' in database ? database.postgres.caFile : undefined;
  return file === undefined ? [] : [{ path: file, remedy: 'put it where everybody may read it, below /etc/homeport' }];
}

/** Requires the secrets, because systemd does not start a service when a credential is missing. @throws StartError */
function requireSecrets(credentials: readonly Credential[], folder: string): void {
  for (const { name, option } of credentials) readSecretFile(`$CREDENTIALS_DIRECTORY/${name}`, option, folder);
}
