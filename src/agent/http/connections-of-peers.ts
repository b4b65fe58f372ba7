import type { Socket } from 'node:net';

/** Connections at a time. @spec agent#limits */
export const CONNECTIONS_MAX = 128;

/** Those of one address: some are always left to others. */
const PER_ADDRESS_MAX = 112;

/** Who connects to a socket file is the machine itself, whose connections all count as one peer's. */
const MACHINE = '';

/** Groups of an IPv6 address that stand for one network: who has an address there has all of them. */
const NETWORK_GROUPS = 4;

interface PeerSocket extends Pick<Socket, 'remoteAddress'> {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/**
 * Shares the connections out among where they come from. When all are taken, the peer with the most gives its oldest up to
 * one that has fewer; where all have one, the oldest that has shown no token gives way to a peer that has none. So peers
 * cannot lock another one out, however many they are.
 */
export class ConnectionsOfPeers {
  /** By peer; the oldest first. */
  readonly #sockets = new Map<string, Set<PeerSocket>>();
  /** Those that have shown no token; the oldest first. */
  readonly #strangers = new Map<PeerSocket, string>();
  #total = 0;

  /** Counts the connection until it closes; false, and nothing counted, when its peer has too many. */
  add(socket: PeerSocket): boolean {
    const { remoteAddress } = socket;
    const peer = remoteAddress === undefined ? MACHINE : peerOf(remoteAddress);
    const own = this.#sockets.get(peer) ?? new Set();
    if (peer !== MACHINE && own.size >= PER_ADDRESS_MAX) return false;
    if (this.#total >= CONNECTIONS_MAX && !this.#makeRoom(own.size)) return false;
    this.#sockets.set(peer, own.add(socket));
    this.#strangers.set(socket, peer);
    this.#total += 1;
    socket.once('close', () => this.#forget(peer, socket));
    return true;
  }

  /** A request on this connection had the right token. */
  trust(socket: PeerSocket): void {
    this.#strangers.delete(socket);
  }

  /** @param ownCount of the peer that wants one more; it gets none of a peer that would then have fewer */
  #makeRoom(ownCount: number): boolean {
    const [peer, sockets] = [...this.#sockets].reduce((most, next) => (next[1].size > most[1].size ? next : most));
    const [oldest] = sockets;
    if (oldest !== undefined && sockets.size > ownCount + 1) return this.#giveUp(peer, oldest);
    const [stranger] = this.#strangers;
    return ownCount === 0 && stranger !== undefined && this.#giveUp(stranger[1], stranger[0]);
  }

  #giveUp(peer: string, socket: PeerSocket): true {
    this.#forget(peer, socket);
    socket.destroy();
    return true;
  }

  #forget(peer: string, socket: PeerSocket): void {
    this.#strangers.delete(socket);
    const sockets = this.#sockets.get(peer);
    if (sockets?.delete(socket) !== true) return;
    this.#total -= 1;
    if (sockets.size === 0) this.#sockets.delete(peer);
  }
}

/** An IPv4 address, or the network of an IPv6 address. */
export function peerOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const [before, behind] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (behind?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(0, zeros)).fill('0'), ...(behind ?? [])];
  // The machine itself, and neighbours on a link, are told apart by their last groups.
  return /^(0|fe80)$/i.test(groups[0] ?? '') ? groups.join(':') : groups.slice(0, NETWORK_GROUPS).join(':');
}
