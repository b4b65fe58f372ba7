import { FailedCommandError, MissingProgramError } from '../errors.ts';
import { counter, type Family, gauge, type Sample } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';
import type { CommandResult } from '../host/run-command.ts';
import type { Collector, Contribution } from './collector.ts';
import { describeComplaint, type Remedies } from './programs/complaint.ts';
import { PeerLabels, type PeerNumbers } from './programs/peer-labels.ts';
import { joinPeers, type Peer, parsePeers } from './programs/wg-output.ts';

/** Most peers of one report; on a machine with more a program has made them. */
const PEERS_MAX = 10_000;

const REMEDIES: Remedies = [
  [
    /not permitted|denied|not supported/i,
    'the agent needs CAP_NET_ADMIN and sockets of AF_NETLINK (install-units --tunnel-access), or agent.wireguard set to false',
  ],
];

const NO_PEERS: Contribution = { sections: { wireguard: [] }, families: [] };

/** Interfaces whose kind is remembered; on a machine with more a program has made them. */
const INTERFACES_MAX = 4_096;

/** The host's ends of containers, which may exceed the limit and are therefore looked at last. */
const OF_CONTAINER = /^veth/;

const containersLast = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => Number(OF_CONTAINER.test(a)) - Number(OF_CONTAINER.test(b)));

/**
 * Lifetime of the remembered kinds: a name may get another kind, but a machine may have hundreds of interfaces that are
 * no tunnels.
 */
const KINDS_KEPT_MS = 300_000;

/**
 * Finds out whether the kernel or a program has a tunnel. This needs no privilege, so hosts without tunnels run no
 * program. The kernel names the kind of each interface in its `uevent`; programs have a socket for each tunnel.
 */
function createTunnelFinder(): (host: Host) => Promise<boolean> {
  let kinds = new Map<string, boolean>();
  let forgottenMs = 0;
  return async ({ sys, root, now }) => {
    // If modules are listed but this one is not, no interface can be a tunnel of the kernel. Without a list of
    // interfaces only wg knows.
    if ((await sys.has('/module/wireguard')) || !(await sys.has('/module'))) {
      if (!(await sys.has('/class/net'))) return true;
      if (Math.abs(now() - forgottenMs) >= KINDS_KEPT_MS) {
        kinds.clear();
        forgottenMs = now();
      }
      const names = containersLast(await sys.names('/class/net')).slice(0, INTERFACES_MAX);
      const isTunnel = async (name: string): Promise<boolean> =>
        /^DEVTYPE=wireguard$/m.test((await sys.read(`/class/net/${name}/uevent`)) ?? '');
      const found = names.map(
        async (name): Promise<[string, boolean]> => [name, kinds.get(name) ?? (await isTunnel(name))],
      );
      kinds = new Map(await Promise.all(found));
      if ([...kinds.values()].includes(true)) return true;
    }
    return (await root.names('/run/wireguard')).some((name) => name.endsWith('.sock'));
  };
}

/** Asks with two commands that print no private and no preshared key, unlike `dump`. */
async function askPeers(host: Host): Promise<{ peers: Peer[]; problems: string[] }> {
  const show = (what: string): Promise<CommandResult> =>
    host.runCommand({ program: 'wg', args: ['show', 'all', what] });
  const [handshakes, transfers] = await Promise.all([show('latest-handshakes'), show('transfer')]);
  // If some of several interfaces are readable, the status is 0 and standard error names the others.
  const refused = [handshakes, transfers].find(({ status, complaint }) => status !== 0 || complaint !== '');
  if (refused !== undefined && refused.status !== 0) {
    throw new FailedCommandError('wg', `failed: ${describeComplaint(refused, REMEDIES)}`);
  }
  return {
    peers: parsePeers(handshakes.output, transfers.output),
    problems: refused === undefined ? [] : [`wg: ${describeComplaint(refused, REMEDIES)}`],
  };
}

/** One series per label: two peers can share a configured name. */
function familiesOf(peers: readonly Peer[], labels: readonly string[]): Family[] {
  const byLabel = new Map<string, Omit<Peer, 'publicKey'>>();
  for (const [index, peer] of peers.entries()) {
    const label = labels[index] ?? '';
    byLabel.set(label, joinPeers(byLabel.get(label), peer));
  }
  const samples = (field: 'latestHandshake' | 'rxBytes' | 'txBytes'): Sample[] =>
    [...byLabel].map(([peer, values]) => ({ labels: { peer }, value: values[field] }));
  return [
    gauge(
      'monitor_wireguard_latest_handshake_seconds',
      'When the newest handshake with a tunnel peer was, in unixtime; 0 is never.',
      samples('latestHandshake'),
    ),
    counter('monitor_wireguard_received_bytes_total', 'Bytes received from a tunnel peer.', samples('rxBytes')),
    counter('monitor_wireguard_sent_bytes_total', 'Bytes sent to a tunnel peer.', samples('txBytes')),
  ];
}

/**
 * Collects tunnel peers; the section is empty without a tunnel or without the program `wg`.
 * @param names public key -> host name
 * @param numbers of peers without a name; see `PeerLabels`
 * @spec agent#metrics tunnel family
 */
export function createWireguardCollector(names: ReadonlyMap<string, string>, numbers?: PeerNumbers): Collector {
  const labels = new PeerLabels(names, numbers);
  const mayHaveTunnels = createTunnelFinder();
  return {
    name: 'wireguard',
    sections: ['wireguard'],
    collect: async (host) => {
      if (!(await mayHaveTunnels(host))) return NO_PEERS;
      try {
        const { peers: found, problems } = await askPeers(host);
        const peers = found.slice(0, PEERS_MAX);
        if (found.length > PEERS_MAX) problems.push(`${found.length - PEERS_MAX} more than ${PEERS_MAX} peers`);
        const families = familiesOf(peers, labels.of(peers.map(({ publicKey }) => publicKey)));
        return { sections: { wireguard: peers }, families, problems };
      } catch (error) {
        if (error instanceof MissingProgramError) return NO_PEERS;
        throw error;
      }
    },
  };
}
