import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AgentConfig, agentConfig } from '../../../schemas/agent.ts';
import { loadConfig } from '../../kernel/config.ts';
import { StartError } from '../../kernel/errors.ts';
import { type Directives, serviceHardening, serviceLifecycle } from '../../kernel/systemd/hardening.ts';
import type { FirstFile, Installation } from '../../kernel/systemd/installation.ts';
import { commandWord, unitText } from '../../kernel/systemd/unit-file.ts';
import { obstacleOf } from './obstacle.ts';

const CREDENTIAL_PREFIX = '$CREDENTIALS_DIRECTORY/';

/** Credential of the configuration that is written where there is none. */
const FIRST_TOKEN_FILE = `${CREDENTIAL_PREFIX}agent.tokenFile`;

const TOKEN_BYTES = 32;

/**
 * Used by systemd in place of one it would make for the service: dbus-daemon cannot look those up, because systemd
 * keeps its module for them from it, and lets nobody in whom it cannot look up.
 */
const ACCOUNT = 'u homeport-agent - "Homeport agent" - -';

/** May ask the process that answers for a user's units. */
const USER_UNITS_GROUP = 'homeport-user-units';

/** All units there may be. */
export const AGENT_UNITS = [
  'homeport-agent.service',
  'homeport-agent.socket',
  'homeport-user-units.service',
  'homeport-user-units.socket',
] as const;

export interface AgentInstallOptions {
  configFile: string;
  /** The program as it was started: its bundle or its source. */
  main: string;
  /** Whether the kernel is to show it tunnel peers, for which it needs a capability. */
  hasTunnelAccess: boolean;
}

export interface AgentInstallation extends Installation {
  config: AgentConfig;
  /** What would keep the service from starting. */
  obstacle: string | undefined;
}

interface Service extends AgentInstallOptions {
  config: AgentConfig;
  program: string;
}

/** The agent as a service of this machine, as its configuration wants it; the units are those of the NixOS module. @throws StartError, ConfigError */
export function agentInstallation(options: AgentInstallOptions): AgentInstallation {
  const configFile = resolve(options.configFile);
  const firstConfig = { agent: { tokenFile: FIRST_TOKEN_FILE } };
  const config = existsSync(configFile) ? loadConfig(configFile, agentConfig).value : agentConfig.parse(firstConfig);
  const service: Service = { ...options, configFile, config, program: programOf(options.main) };
  const { listen, userUnits } = config.agent;
  const asksUser = userUnits.user !== undefined;
  return {
    config,
    obstacle: obstacleOf([
      { path: service.program, remedy: 'move the installation, for example below /opt' },
      { path: configFile, remedy: 'put it where everybody may read it, as /etc/homeport/agent.json' },
    ]),
    firstFiles: [
      { path: configFile, text: `${JSON.stringify(firstConfig, null, 2)}\n`, isSecret: false },
      { path: tokenPath(configFile), text: `${randomBytes(TOKEN_BYTES).toString('hex')}\n`, isSecret: true },
    ] satisfies FirstFile[],
    units: {
      'homeport-agent.service': serviceText(service),
      ...(listen.unix === undefined ? {} : { 'homeport-agent.socket': socketText(listen.unix) }),
      ...(asksUser ? userUnitTexts(service) : {}),
    },
    known: AGENT_UNITS,
    accounts: [ACCOUNT, ...(asksUser ? [`g ${USER_UNITS_GROUP} -`] : [])],
    started: [
      ...(asksUser ? ['homeport-user-units.socket'] : []),
      ...(listen.unix === undefined ? [] : ['homeport-agent.socket']),
      'homeport-agent.service',
    ],
  };
}

/** Beside the configuration. */
export function tokenPath(configFile: string): string {
  return `${dirname(configFile)}/agent.token`;
}

function serviceText({ config, configFile, program, hasTunnelAccess }: Service): string {
  const { listen, userUnits } = config.agent;
  const groups = [...groupsOf(config), ...(userUnits.user === undefined ? [] : [USER_UNITS_GROUP])];
  return unitText({
    Unit: {
      Description: 'Homeport agent: report of this host',
      Wants: 'network-online.target',
      After: 'network-online.target',
      ...(listen.unix === undefined ? {} : { Requires: 'homeport-agent.socket' }),
    },
    Service: {
      ...serviceLifecycle,
      ExecStart: `${commandWord(program)} run --config ${commandWord(configFile)}`,
      ExecReload: '/bin/kill -HUP $MAINPID',
      LoadCredential: `${credentialOf(config, configFile)}:${tokenPath(configFile)}`,
      ...(groups.length === 0 ? {} : { SupplementaryGroups: groups.join(' ') }),
      ...serviceHardening.agent,
      ...(hasTunnelAccess ? serviceHardening.agentTunnelAccess : {}),
    } satisfies Directives,
    Install: { WantedBy: 'multi-user.target' },
  });
}

/** systemd makes the socket: the agent may write to no directory. */
function socketText(path: string): string {
  return unitText({
    Unit: { Description: 'Homeport agent: socket' },
    Socket: { ListenStream: path, SocketMode: '0666' },
    Install: { WantedBy: 'sockets.target' },
  });
}

function userUnitTexts({ config, program }: Service): Record<string, string> {
  const { user = '', socket } = config.agent.userUnits;
  return {
    'homeport-user-units.socket': unitText({
      Unit: { Description: `Homeport agent: units of ${user}, socket` },
      Socket: { ListenStream: socket, SocketGroup: USER_UNITS_GROUP, SocketMode: '0660' },
      Install: { WantedBy: 'sockets.target' },
    }),
    'homeport-user-units.service': unitText({
      Unit: { Description: `Homeport agent: units of ${user}` },
      Service: {
        Type: 'exec',
        User: user,
        ExecStart: `${commandWord(program)} user-units`,
        ...serviceHardening.userUnits,
      },
    }),
  };
}

/** Name under which systemd hands the token over: the account of the service may read no file of root's. */
function credentialOf({ agent: { tokenFile } }: AgentConfig, configFile: string): string {
  const name = tokenFile.startsWith(CREDENTIAL_PREFIX) ? tokenFile.slice(CREDENTIAL_PREFIX.length) : '';
  if (/^[A-Za-z0-9._-]+$/.test(name)) return name;
  throw new StartError(
    `agent.tokenFile: the service could not read ${tokenFile}: set it to ${FIRST_TOKEN_FILE} and put the token into ${tokenPath(configFile)}`,
  );
}

/** Groups that may ask mail and name servers; systemd starts no unit whose groups are not there. */
function groupsOf({ agent: { postfix, knot } }: AgentConfig): string[] {
  const wanted = [...(postfix ? [['agent.postfix', 'postdrop']] : []), ...(knot ? [['agent.knot', 'knot']] : [])];
  return wanted.map(([option, group = '']) => {
    if (new RegExp(`^${group}:`, 'm').test(readFileSync('/etc/group', 'utf8'))) return group;
    throw new StartError(`${option} is true, but there is no group ${group}: install its server, or set it to false`);
  });
}

/** The program people start, which finds its Node; it stands in `bin` above its bundle. */
function programOf(main: string): string {
  let directory = dirname(main);
  while (directory !== '/' && !existsSync(`${directory}/bin/homeport-agent`)) directory = dirname(directory);
  const program = `${directory === '/' ? '' : directory}/bin/homeport-agent`;
  if (!existsSync(program)) throw new StartError(`install-units: no bin/homeport-agent above ${main}`);
  return program;
}
