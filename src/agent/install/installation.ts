import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AgentConfig, agentConfig } from '../../../schemas/agent.ts';
import { loadConfig } from '../../kernel/config/load-config.ts';
import { schemaTree } from '../../kernel/config/schema-tree.ts';
import { StartError } from '../../kernel/errors.ts';
import { isKnown } from '../../kernel/systemd/accounts.ts';
import { credentialsOf, loadCredential, randomToken } from '../../kernel/systemd/credentials.ts';
import { type Directives, serviceHardening, serviceLifecycle, startLimits } from '../../kernel/systemd/hardening.ts';
import type { ServiceInstallation } from '../../kernel/systemd/install-command.ts';
import { installedProgram } from '../../kernel/systemd/installed-program.ts';
import { hiddenBy, obstacleOf } from '../../kernel/systemd/obstacle.ts';
import { commandLine, pathValue, plainText, unitText } from '../../kernel/systemd/unit-file.ts';

export const PROGRAM = 'homeport-agent';

/** Postfix's own default. */
const USUAL_MAIL_GROUP = 'postdrop';
const POSTCONF_DEADLINE_MS = 10_000;

/** `agent.tokenFile` of `FIRST_CONFIG`: a credential of systemd. */
const FIRST_TOKEN_FILE = '$CREDENTIALS_DIRECTORY/agent.tokenFile';

/** Configuration that is written if there is no other; Debian's package contains the same one. */
export const FIRST_CONFIG = { agent: { tokenFile: FIRST_TOKEN_FILE } };

/**
 * Account of the service, a permanent one: dbus-daemon cannot look up the dynamic users of systemd, and so refuses
 * them.
 */
export const ACCOUNT = 'u homeport-agent - "Homeport agent" - -';

/** Group that may ask the process that answers about a user's units. */
const USER_UNITS_GROUP = 'homeport-user-units';

/** All units that an installation can have. */
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

interface Service extends AgentInstallOptions {
  config: AgentConfig;
  program: string;
}

/** The agent as a service of this machine, as its configuration wants it; the units are those of the NixOS module. @throws StartError, ConfigError */
export async function agentInstallation(options: AgentInstallOptions): Promise<ServiceInstallation> {
  const configFile = resolve(options.configFile);
  const config = existsSync(configFile)
    ? (await loadConfig(configFile, agentConfig)).value
    : agentConfig.parse(FIRST_CONFIG);
  const service: Service = { ...options, configFile, config, program: installedProgram(PROGRAM, options.main) };
  const { listen, userUnits } = config.agent;
  const asksUser = userUnits.user !== undefined;
  const token = tokenPath(configFile);
  return {
    listen,
    notes: () => [`its token is in ${token}`],
    obstacle: obstacleOf(
      [
        { path: service.program, remedy: 'move the installation, for example below /opt' },
        { path: configFile, remedy: 'put it where everybody may read it, as /etc/homeport/agent.json' },
      ],
      hiddenBy(serviceHardening.agent),
    ),
    firstFiles: [
      { path: configFile, text: `${JSON.stringify(FIRST_CONFIG, null, 2)}\n`, isSecret: false },
      { path: token, text: randomToken(), isSecret: true },
    ],
    watched: [configFile, token, options.main],
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
    trial: {
      unit: 'homeport-agent.service',
      command: commandLine(service.program, 'check-start', '--config', configFile),
    },
  };
}

/** Path of the token: beside the configuration. */
function tokenPath(configFile: string): string {
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
      ...startLimits,
      ...(listen.unix === undefined ? {} : { Requires: 'homeport-agent.socket' }),
    },
    Service: {
      ...serviceLifecycle,
      ExecStart: commandLine(program, 'run', '--config', configFile),
      ExecReload: '/bin/kill -HUP $MAINPID',
      LoadCredential: credentialsOf(schemaTree(agentConfig), config, () => tokenPath(configFile)).map(loadCredential),
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
    Socket: { ListenStream: pathValue(path), SocketMode: '0666' },
    Install: { WantedBy: 'sockets.target' },
  });
}

function userUnitTexts({ config, program }: Service): Record<string, string> {
  const { user = '', socket } = config.agent.userUnits;
  return {
    'homeport-user-units.socket': unitText({
      Unit: { Description: plainText(`Homeport agent: units of ${user}, socket`) },
      Socket: { ListenStream: pathValue(socket), SocketGroup: USER_UNITS_GROUP, SocketMode: '0660' },
      Install: { WantedBy: 'sockets.target' },
    }),
    'homeport-user-units.service': unitText({
      Unit: { Description: plainText(`Homeport agent: units of ${user}`) },
      Service: {
        Type: 'exec',
        User: plainText(user),
        ExecStart: commandLine(program, 'user-units'),
        ...serviceHardening.userUnits,
      },
    }),
  };
}

/** Groups that may ask mail and name servers; systemd starts no unit whose groups are not there. */
function groupsOf({ agent: { postfix, knot } }: AgentConfig): string[] {
  const wanted = [...(postfix ? [['agent.postfix', mailGroup()]] : []), ...(knot ? [['agent.knot', 'knot']] : [])];
  return wanted.map(([option, group = '']) => {
    if (isKnown('group', group)) return group;
    throw new StartError(`${option} is true, but there is no group ${group}: install its server, or set it to false`);
  });
}

/** The group of Postfix's queue, as Postfix itself says. */
function mailGroup(): string {
  try {
    // Root's PATH has the folder, a person's may lack it.
    const command = 'PATH=$PATH:/usr/sbin:/usr/local/sbin; exec postconf -h setgid_group';
    const answer = execFileSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      timeout: POSTCONF_DEADLINE_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return answer.trim() || USUAL_MAIL_GROUP;
  } catch {
    // Postfix is missing or gives no answer. The caller checks whether the default group exists.
    return USUAL_MAIL_GROUP;
  }
}
