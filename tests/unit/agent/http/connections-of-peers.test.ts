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
  isQuiet = false;
  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): this {
    this.isEnded = true;
    return this;
  }
}

const openPeers = () => new ConnectionsOfPeers<Connection>(({ isQuiet }) => isQuiet);

const addedTo = (peers: ReturnType<typeof openPeers>, address: string | undefined, count: number) =>
  Array.from({ length: count }, () => {
    const connection = new Connection(address);
    return { connection, isIn: peers.add(connection) };
  });

test('when all are taken, the peer with the most gives its oldest up, and only to one with fewer', () => {
  const peers = openPeers();
  const first = addedTo(peers, '10.0.0.1', 70);
  const second = addedTo(peers, '10.0.0.2', 58);

  const [monitor] = addedTo(peers, '10.0.0.3', 1);

  expect(monitor?.isIn).toBe(true);
  expect(first.map(({ connection }) => connection.isEnded).indexOf(true)).toBe(0);
  expect([...first, ...second].filter(({ connection }) => connection.isEnded)).toHaveLength(1);
  // Both may request more: the peer with the most replaces its own, and does not take the only one of another peer.
  addedTo(peers, '10.0.0.1', 50);
  expect(second.some(({ connection }) => connection.isEnded)).toBe(false);
  addedTo(peers, '10.0.0.2', 50);
  expect(monitor?.connection.isEnded).toBe(false);
});

test('a hundred and twenty-eight peers with one connection each keep theirs, if they have shown the token', () => {
  const peers = openPeers();
  const kept = Array.from({ length: 128 }, (_, host) => addedTo(peers, `10.0.0.${host}`, 1)).flat();
  for (const { connection } of kept) peers.trust(connection);

  expect(addedTo(peers, '10.0.1.1', 1)[0]?.isIn).toBe(false);
  expect(kept.some(({ connection }) => connection.isEnded)).toBe(false);

  kept[0]?.connection.emit('close');
  expect(addedTo(peers, '10.0.1.1', 1)[0]?.isIn).toBe(true);
});

test('peers without the token that hold all connections cannot lock another one out', () => {
  const peers = openPeers();
  const [monitor] = addedTo(peers, '10.0.1.1', 1);
  if (monitor !== undefined) peers.trust(monitor.connection);
  const first = Array.from({ length: 127 }, (_, host) => addedTo(peers, `10.0.0.${host}`, 1)).flat();

  const others = Array.from({ length: 300 }, (_, host) => addedTo(peers, `10.1.${host >> 8}.${host & 255}`, 1)).flat();
  const [second] = addedTo(peers, '10.0.1.2', 1);

  expect(second?.isIn).toBe(true);
  expect(monitor?.connection.isEnded).toBe(false);
  expect([...first, ...others].filter(({ connection }) => !connection.isEnded)).toHaveLength(126);
  expect(first.every(({ connection }) => connection.isEnded)).toBe(true);
  // A peer that has a stranger already replaces its own, and takes no connection of another one.
  const before = others.filter(({ connection }) => !connection.isEnded).length;
  expect(addedTo(peers, '10.0.1.2', 1)[0]?.isIn).toBe(true);
  expect(second?.connection.isEnded).toBe(true);
  expect(others.filter(({ connection }) => !connection.isEnded)).toHaveLength(before);
});

test('one address has its share, and all who come through a socket file have all together', () => {
  const held = (address: string | undefined) =>
    addedTo(openPeers(), address, 140).filter(({ isIn, connection }) => isIn && !connection.isEnded).length;

  expect([held('10.0.0.1'), held(undefined)]).toEqual([112, 128]);
});

for (const address of ['127.0.0.1', undefined]) {
  test(`strangers lock out no client that ${address === undefined ? 'comes through the same socket file' : 'shares their address'} and has the token`, () => {
    const peers = openPeers();
    addedTo(peers, address, 140);

    const monitors = Array.from({ length: 3 }, () => {
      const [monitor] = addedTo(peers, address, 1);
      expect(monitor?.isIn).toBe(true);
      if (monitor !== undefined) peers.trust(monitor.connection);
      return monitor;
    });
    addedTo(peers, address, 300);

    expect(monitors.some((monitor) => monitor?.connection.isEnded)).toBe(false);
  });
}

test('strangers at as many addresses as there are connections take none that has shown the token, however many a peer has', () => {
  const peers = openPeers();
  const hub = addedTo(peers, '10.0.1.1', 10);
  for (const { connection } of hub) peers.trust(connection);
  for (let host = 0; host < 300; host += 1) addedTo(peers, `10.1.${host >> 8}.${host & 255}`, 1);

  // Another program on the hub's machine.
  expect(addedTo(peers, '10.0.1.1', 1)[0]?.isIn).toBe(true);
  expect(hub.some(({ connection }) => connection.isEnded)).toBe(false);
});

test('where all have shown the token, one who comes new gets the oldest of the peer with the most, and one with all of its share gets none', () => {
  const peers = openPeers();
  const [large, small] = [addedTo(peers, '10.0.0.1', 112), addedTo(peers, '10.0.0.2', 16)];
  for (const { connection } of [...large, ...small]) peers.trust(connection);

  expect(addedTo(peers, '10.0.0.1', 1)[0]?.isIn).toBe(false);
  expect(addedTo(peers, '10.0.0.3', 1)[0]?.isIn).toBe(true);
  expect([...large, ...small].filter(({ connection }) => connection.isEnded)).toEqual([large[0]]);
});

for (const address of ['10.0.0.1', undefined]) {
  test(`a peer whose share has shown the token gives up its oldest quiet connection for a new one: ${address ?? 'a socket file'}`, () => {
    const peers = openPeers();
    const own = addedTo(peers, address, address === undefined ? 128 : 112);
    for (const { connection } of own) peers.trust(connection);
    for (const index of [5, 7]) if (own[index] !== undefined) own[index].connection.isQuiet = true;

    const isIn = () => {
      const [added] = addedTo(peers, address, 1);
      if (added !== undefined) peers.trust(added.connection);
      return added?.isIn;
    };
    expect([isIn(), isIn(), isIn()]).toEqual([true, true, false]);
    expect(own.flatMap(({ connection }, index) => (connection.isEnded ? [index] : []))).toEqual([5, 7]);
  });
}

test('clients that open connections in one go do not take each other’s before the first request', () => {
  const peers = openPeers();
  const own = addedTo(peers, '10.0.0.1', 112);
  for (const { connection } of own) {
    peers.trust(connection);
    connection.isQuiet = true;
  }

  const burst = addedTo(peers, '10.0.0.1', 20);

  expect(burst.every(({ isIn, connection }) => isIn && !connection.isEnded)).toBe(true);
});
