import { type HostReport, hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { sojuDropIn } from '../../../src/connector/install/share-soju.ts';
import { blocksOf } from '../guide-blocks.ts';
import type { GuestExit } from './guest-agent.ts';
import type { DebianMachine } from './machine.ts';

export const AGENT = '/opt/homeport/bin/homeport-agent';
export const CONNECTOR = '/opt/homeport/bin/homeport-connector';

/** A Debian 13 with the package and everything that the agent has a section for. */
export interface HomeportMachine {
  /** Writes a file of root's. */
  write(path: string, text: string, mode?: string): Promise<void>;
  shell(script: string): Promise<string>;
  /** Runs `install-units` until it has seen its service answer: an emulated machine may need longer than the command waits. */
  installUnits(program: string, ...words: string[]): Promise<GuestExit>;
  /** The answer of the agent's service. */
  report(query?: string): Promise<HostReport>;
  metrics(): Promise<string>;
  /** The status of the connector's `/healthz`. */
  connectorStatus(): Promise<string>;
}

/** The package becomes the archive that is the machine's disk of this name. */
export const unpack = (machine: DebianMachine, disk: string): Promise<string> =>
  machine.run('tar', '--extract', '--file', `/dev/${disk}`, '--directory', '/');

/** @param machine any machine that runs commands as root */
export function homeportOn(machine: Pick<DebianMachine, 'run' | 'attempt'>): HomeportMachine {
  const shell = (script: string) => machine.run('bash', '-c', script);
  const get = (port: number, path: string, token = '') =>
    shell(
      `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET ${path} HTTP/1.0\\r\\nHost: localhost\\r\\nAuthorization: Bearer %s\\r\\n\\r\\n' "${token}" >&3; cat <&3`,
    );
  const ask = async (path: string): Promise<string> => {
    const answer = await get(9105, path, '$(cat /etc/homeport/agent.token)');
    if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`the agent answers ${path} with ${answer.slice(0, 300)}`);
    return answer.slice(answer.indexOf('\r\n\r\n'));
  };
  return {
    shell,
    async write(path, text, mode = '644') {
      const script = 'mkdir -p "$(dirname "$1")" && printf %s "$2" >"$1" && chmod "$3" "$1"';
      await machine.run('sh', '-c', script, 'sh', path, text, mode);
    },
    installUnits: (program, ...words) =>
      waitFor('install-units has an answer of the service', async () => {
        const ended = await machine.attempt(program, 'install-units', ...words);
        return !ended.complaint.includes('does not answer') && ended;
      }),
    report: async (query = '') => hostReport.parse(JSON.parse(await ask(`/v1/report?${query}`))),
    metrics: () => ask('/metrics'),
    connectorStatus: async () => (await get(8460, '/healthz')).split(' ')[1] ?? '',
  };
}

const KNOT = `server:
    rundir: "/run/knot"
    user: knot:knot
    listen: 127.0.0.1@53
log:
  - target: syslog
    any: info
database:
    storage: "/var/lib/knot"
template:
  - id: default
    storage: "/var/lib/knot"
    file: "%s.zone"
zone:
  - domain: example
`;
const ZONE = '@ 60 SOA ns.example. admin.example. 7 3600 600 86400 60\n@ 60 NS ns.example.\n';

/** A tunnel of the kernel with one peer that never answers. */
const TUNNEL = `
ip link add wg0 type wireguard
wg genkey >/run/wg0 && wg set wg0 private-key /run/wg0 peer "$(wg genkey | wg pubkey)" allowed-ips 10.9.0.2/32
ip address add 10.9.0.1/24 dev wg0 && ip link set wg0 up
`;

/** A zone, a message that waits, a tunnel, and an account with a service manager of its own. */
export async function prepareServers({ write, shell }: HomeportMachine): Promise<void> {
  await write('/etc/knot/knot.conf', KNOT);
  await write('/var/lib/knot/example.zone', ZONE);
  await shell('chown knot: /var/lib/knot/example.zone && systemctl restart knot');
  await shell('postconf -e "default_transport = retry:kept" && systemctl restart postfix');
  await shell('printf "Subject: kept\\n\\nkept\\n" | sendmail -f root ada@example.org');
  await shell(TUNNEL);
  await shell('useradd --create-home ada && loginctl enable-linger ada');
}

/** Soju as the guide says, on a port without TLS. */
export async function prepareSoju({ write, shell }: HomeportMachine): Promise<void> {
  const [config = ''] = blocksOf('connector-service.md', 'text').filter((block) => block.includes('message-store db'));
  await write('/etc/soju/config', config);
  await write('/etc/systemd/system/soju.service.d/homeport.conf', sojuDropIn);
  await shell("systemd-sysusers --inline 'g homeport-soju -' && systemctl daemon-reload && systemctl restart soju");
}

export const agentConfig = {
  agent: {
    tokenFile: '$CREDENTIALS_DIRECTORY/agent.tokenFile',
    knot: true,
    postfix: true,
    userUnits: { user: 'ada' },
  },
};

export const connectorConfig = exampleConfig;
