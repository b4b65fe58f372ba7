import { UnparsableSourceError } from '../../errors.ts';

/** Interface, public key, and one or two numbers, each behind a tab. @see wg(8) */
const LINE = /^([^\t]{1,15})\t([A-Za-z0-9+/]{43}=)\t(\d{1,20})(?:\t(\d{1,20}))?$/;

/** One line of `wg show all`: a peer of one interface. */
interface PeerLine {
  /** Interface and key. */
  id: string;
  publicKey: string;
  numbers: readonly number[];
}

/** A tunnel peer over all interfaces that know its key. */
export interface Peer {
  publicKey: string;
  /** Unix seconds; 0 is never. */
  latestHandshake: number;
  rxBytes: number;
  txBytes: number;
}

/**
 * Joins `wg show all latest-handshakes` and `transfer` in the order of the keys.
 * A peer in only one of the two appeared or disappeared between the calls, and is left out.
 * @throws UnparsableSourceError
 */
export function parsePeers(handshakes: string, transfers: string): Peer[] {
  const bytes = new Map(parseLines(transfers, 2, 'transfer').map((line) => [line.id, line]));
  const peers = new Map<string, Peer>();
  for (const { id, publicKey, numbers } of parseLines(handshakes, 1, 'latest-handshakes')) {
    const transfer = bytes.get(id);
    if (transfer === undefined) continue;
    const [latestHandshake = 0] = numbers;
    const [rxBytes = 0, txBytes = 0] = transfer.numbers;
    peers.set(publicKey, joinPeers(peers.get(publicKey), { publicKey, latestHandshake, rxBytes, txBytes }));
  }
  return [...peers.values()].toSorted((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
}

/** Joins two peers: the newest handshake and the sums of bytes, with the key of `other`. */
export function joinPeers<T extends Omit<Peer, 'publicKey'>>(known: T | undefined, other: T): T {
  if (known === undefined) return other;
  return {
    ...other,
    latestHandshake: Math.max(known.latestHandshake, other.latestHandshake),
    rxBytes: known.rxBytes + other.rxBytes,
    txBytes: known.txBytes + other.txBytes,
  };
}

/** Lines of another form are skipped and never quoted, because they may contain a secret. */
function parseLines(text: string, numbersWanted: 1 | 2, what: string): PeerLine[] {
  const lines = text.split('\n').flatMap((line): PeerLine[] => {
    const [, name, publicKey, ...rest] = LINE.exec(line) ?? [];
    const numbers = rest.filter((field) => field !== undefined).map(Number);
    if (name === undefined || publicKey === undefined || numbers.length !== numbersWanted) return [];
    return [{ id: `${name}\t${publicKey}`, publicKey, numbers }];
  });
  if (lines.length === 0 && text.trim() !== '') {
    throw new UnparsableSourceError(`wg show all ${what}`, 'interface, key and numbers of each peer');
  }
  return lines;
}
