import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { ConnectionsOfPeers, peerOf } from '../../../../src/agent/http/connections-of-peers.ts';

test('addresses of one IPv6 network are one peer, and an IPv4 address is one in both of its forms', () => {
  expect(peerOf('10.0.0.1')).toBe('10.0.0.1');
  expect(peerOf('::ffff:10.0.0.1')).toBe('10.0.0.1');
  expect(peerOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(peerOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
  expect(peerOf('2001:db8::9')).toBe('2001:db8:0:0');
  expect(peerOf('::1')).not.toBe(peerOf('::2'));
  expect(peerOf('fe80::1%eth0')).not.toBe(peerOf('fe80::2%eth0'));
});

/** A connection from this address, or through a socket file. */
class Connection extends EventEmitter {
  readonly remoteAddress: string | undefined;
  isEnded = false;
  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): this {
    this.isEnded = true;
    return this;
  }
}

const addedTo = (peers: ConnectionsOfPeers, address: string | undefined, count: number) =>
  Array.from({ length: count }, () => {
    const connection = new Connection(address);
    return { connection, isIn: peers.add(connection) };
  });

test('when all are taken, the peer with the most gives its oldest up, and only to one with fewer', () => {
  const peers = new ConnectionsOfPeers();
  const first = addedTo(peers, '10.0.0.1', 70);
  const second = addedTo(peers, '10.0.0.2', 58);

  const [monitor] = addedTo(peers, '10.0.0.3', 1);

  expect(monitor?.isIn).toBe(true);
  expect(first.map(({ connection }) => connection.isEnded).indexOf(true)).toBe(0);
  expect([...first, ...second].filter(({ connection }) => connection.isEnded)).toHaveLength(1);
  // Both may go on to ask for more: the one with the most gets none, and none of the one that has a single one.
  expect(addedTo(peers, '10.0.0.1', 50).every(({ isIn }) => !isIn)).toBe(true);
  addedTo(peers, '10.0.0.2', 50);
  expect(monitor?.connection.isEnded).toBe(false);
});

test('a hundred and twenty-eight peers with one connection each keep theirs, if they have shown the token', () => {
  const peers = new ConnectionsOfPeers();
  const kept = Array.from({ length: 128 }, (_, host) => addedTo(peers, `10.0.0.${host}`, 1)).flat();
  for (const { connection } of kept) peers.trust(connection);

  expect(addedTo(peers, '10.0.1.1', 1)[0]?.isIn).toBe(false);
  expect(kept.some(({ connection }) => connection.isEnded)).toBe(false);

  kept[0]?.connection.emit('close');
  expect(addedTo(peers, '10.0.1.1', 1)[0]?.isIn).toBe(true);
});

test('as many peers as there are connections cannot lock another one out without the token', () => {
  const peers = new ConnectionsOfPeers();
  const [monitor] = addedTo(peers, '10.0.1.1', 1);
  if (monitor !== undefined) peers.trust(monitor.connection);
  const first = Array.from({ length: 127 }, (_, host) => addedTo(peers, `10.0.0.${host}`, 1)).flat();

  const others = Array.from({ length: 300 }, (_, host) => addedTo(peers, `10.1.${host >> 8}.${host & 255}`, 1)).flat();
  const [second] = addedTo(peers, '10.0.1.2', 1);

  expect(second?.isIn).toBe(true);
  expect(monitor?.connection.isEnded).toBe(false);
  expect([...first, ...others].filter(({ connection }) => !connection.isEnded)).toHaveLength(126);
  expect(first.every(({ connection }) => connection.isEnded)).toBe(true);
  // A peer that has one already takes none from another stranger.
  expect(addedTo(peers, '10.0.1.2', 1)[0]?.isIn).toBe(false);
});

test('one address has its share, and all who come through a socket file have all together', () => {
  const accepted = (address: string | undefined) =>
    addedTo(new ConnectionsOfPeers(), address, 140).filter(({ isIn }) => isIn).length;

  expect([accepted('10.0.0.1'), accepted(undefined)]).toEqual([112, 128]);
});
