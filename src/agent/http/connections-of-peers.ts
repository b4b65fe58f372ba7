import type { Socket } from 'node:net';

/** Connections of one address, of the 128 that the agent takes: some are always left to others. */
const PER_ADDRESS_MAX = 112;

/** Groups of an IPv6 address that stand for one network: who has an address there has all of them. */
const NETWORK_GROUPS = 4;

/** Counts connections by where they come from, so that one peer cannot take them all. */
export class ConnectionsOfPeers {
  readonly #counts = new Map<string, number>();

  /** Counts the connection until it closes; false, and nothing counted, when its peer has too many. */
  add(socket: Pick<Socket, 'remoteAddress' | 'once'>): boolean {
    const { remoteAddress } = socket;
    // At a Unix socket everybody is the machine itself.
    if (remoteAddress === undefined) return true;
    const peer = peerOf(remoteAddress);
    const count = this.#counts.get(peer) ?? 0;
    if (count >= PER_ADDRESS_MAX) return false;
    this.#counts.set(peer, count + 1);
    socket.once('close', () => {
      const left = (this.#counts.get(peer) ?? 1) - 1;
      if (left > 0) this.#counts.set(peer, left);
      else this.#counts.delete(peer);
    });
    return true;
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
