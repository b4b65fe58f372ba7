import type { Socket } from 'node:net';

/** Connections at a time. @spec agent#limits */
export const CONNECTIONS_MAX = 128;

/** Most connections of one address, so that some are always left to others. */
const PER_ADDRESS_MAX = 112;

/** Name of the machine itself as a peer: all connections to a socket file count as its own. */
const MACHINE = '';

/** Groups of an IPv6 address that stand for one network: the owner of one address has all addresses of the network. */
const NETWORK_GROUPS = 4;

interface PeerSocket extends Pick<Socket, 'remoteAddress'> {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/**
 * A peer with fewer strangers gives up quiet trusted connections first, because a first request may be on its way on a
 * stranger.
 */
const STRANGERS_SPARED = PER_ADDRESS_MAX / 2;

/** A peer's connections that have shown the token, and those that have not: strangers. The oldest first. */
interface Peer<S> {
  trusted: Set<S>;
  strangers: Set<S>;
}

/**
 * Shares the server's connections out among peers, so that strangers cannot lock a client with the token out, even if
 * they are many or share its address. A connection is a stranger until a request on it has the right token.
 * When all connections are in use, the peer with the most strangers loses its oldest one to a peer that has fewer. If
 * each has one, the oldest stranger of all gives way to a peer without strangers. A peer at its share loses one of its
 * own for a new one: clients that open a connection for each request without closing, or hubs behind one address, would
 * else lock themselves out.
 */
export class ConnectionsOfPeers<S extends PeerSocket = PeerSocket> {
  readonly #peers = new Map<string, Peer<S>>();
  /** All strangers, each with the name of its peer; the oldest first. */
  readonly #strangers = new Map<S, string>();
  readonly #isQuiet: (socket: S) => boolean;
  #total = 0;

  /** @param isQuiet whether a connection has had at least one request, and all are answered */
  constructor(isQuiet: (socket: S) => boolean) {
    this.#isQuiet = isQuiet;
  }

  /** Counts the connection until it closes. Returns false without counting if there is no room for it. */
  add(socket: S): boolean {
    const { remoteAddress } = socket;
    const name = remoteAddress === undefined ? MACHINE : peerOf(remoteAddress);
    const known = this.#peers.get(name) ?? NO_CONNECTIONS;
    const isAtShare = name !== MACHINE && sizeOf(known) >= PER_ADDRESS_MAX;
    if (isAtShare && !this.#endOwn(name, known)) return false;
    if (this.#total >= CONNECTIONS_MAX && !this.#makeRoom(name, known)) return false;
    const peer = this.#peers.get(name) ?? { trusted: new Set(), strangers: new Set() };
    this.#peers.set(name, peer);
    peer.strangers.add(socket);
    this.#strangers.set(socket, name);
    this.#total += 1;
    socket.once('close', () => this.#forget(name, socket));
    return true;
  }

  /** A request on this connection had the right token. */
  trust(socket: S): void {
    const name = this.#strangers.get(socket);
    const peer = name === undefined ? undefined : this.#peers.get(name);
    if (peer === undefined) return;
    this.#strangers.delete(socket);
    peer.strangers.delete(socket);
    peer.trusted.add(socket);
  }

  /** Ends a connection where all are taken. @param own those of the peer that wants one more */
  #makeRoom(name: string, own: KnownPeer<S>): boolean {
    const [most, { strangers }] = this.#peerWithMost((peer) => peer.strangers.size);
    if (strangers.size > own.strangers.size + 1) return this.#giveUpOldest(most, strangers);
    const [stranger] = this.#strangers;
    if (own.strangers.size === 0 && stranger !== undefined) return this.#giveUp(stranger[1], stranger[0]);
    if (this.#endOwn(name, own)) return true;
    const [largest, peer] = this.#peerWithMost(sizeOf);
    return sizeOf(peer) > sizeOf(own) + 1 && this.#giveUpOldest(largest, peer.trusted);
  }

  /** Ends one of the peer's own connections. */
  #endOwn(name: string, { trusted, strangers }: KnownPeer<S>): boolean {
    if (strangers.size >= STRANGERS_SPARED) return this.#giveUpOldest(name, strangers);
    for (const socket of trusted) if (this.#isQuiet(socket)) return this.#giveUp(name, socket);
    return this.#giveUpOldest(name, strangers);
  }

  #peerWithMost(countOf: (peer: Peer<S>) => number): [name: string, peer: Peer<S>] {
    return [...this.#peers].reduce((most, next) => (countOf(next[1]) > countOf(most[1]) ? next : most));
  }

  /** Ends the oldest connection; false if there is no connection. @param sockets the oldest first */
  #giveUpOldest(name: string, [oldest]: Iterable<S>): boolean {
    return oldest !== undefined && this.#giveUp(name, oldest);
  }

  #giveUp(name: string, socket: S): true {
    this.#forget(name, socket);
    socket.destroy();
    return true;
  }

  #forget(name: string, socket: S): void {
    this.#strangers.delete(socket);
    const peer = this.#peers.get(name);
    if (peer === undefined || !(peer.strangers.delete(socket) || peer.trusted.delete(socket))) return;
    this.#total -= 1;
    if (sizeOf(peer) === 0) this.#peers.delete(name);
  }
}

type KnownPeer<S> = Readonly<Record<keyof Peer<S>, ReadonlySet<S>>>;

const NO_CONNECTIONS: KnownPeer<never> = { trusted: new Set(), strangers: new Set() };

const sizeOf = ({ trusted, strangers }: KnownPeer<unknown>): number => trusted.size + strangers.size;

/** An IPv4 address, or the network of an IPv6 address. */
export function peerOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const [before, behind] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (behind?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(0, zeros)).fill('0'), ...(behind ?? [])];
  // Loopback and link-local addresses differ only in their last groups.
  return /^(0|fe80)$/i.test(groups[0] ?? '') ? groups.join(':') : groups.slice(0, NETWORK_GROUPS).join(':');
}
