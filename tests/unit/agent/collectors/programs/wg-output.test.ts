import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parsePeers } from '../../../../../src/agent/collectors/programs/wg-output.ts';

const recording = (name: string): string => readFileSync(`tests/golden/agent/recordings/${name}`, 'utf8');

const key = (letter: string): string => `${letter.repeat(43)}=`;

test('two recorded answers are joined by interface and key, in the order of the keys', () => {
  expect(parsePeers(recording('wg-latest-handshakes'), recording('wg-transfer'))).toEqual([
    {
      publicKey: 'C5KalKt9ZaU3y/IOSjsj6ZX41K1n4oxH3haqUBUZk10=',
      latestHandshake: 1795218397,
      rxBytes: 252,
      txBytes: 520,
    },
    { publicKey: 'O3+86umfzwCEtGnIlVDdAekfnx8hUiHCpeGIuWKOZSE=', latestHandshake: 0, rxBytes: 0, txBytes: 0 },
    {
      publicKey: 'ZfRFzU0j7KWmJFwvbNoaAJcrgp0oq8gXn60DlfUKjG8=',
      latestHandshake: 1795218397,
      rxBytes: 372,
      txBytes: 252,
    },
    { publicKey: 'adrN4PAOQgBm4XpR3obhe+GakWi7s9dLM8ybeB8nn08=', latestHandshake: 0, rxBytes: 0, txBytes: 0 },
  ]);
});

test('a key on two interfaces is one peer with the newest handshake and the sums', () => {
  const handshakes = `wg0\t${key('A')}\t100\nwg1\t${key('A')}\t300\n`;
  const transfers = `wg1\t${key('A')}\t1\t2\nwg0\t${key('A')}\t10\t20\n`;

  expect(parsePeers(handshakes, transfers)).toEqual([
    { publicKey: key('A'), latestHandshake: 300, rxBytes: 11, txBytes: 22 },
  ]);
});

test('a peer that only one answer knows is left out', () => {
  expect(parsePeers(`wg0\t${key('A')}\t1\nwg0\t${key('B')}\t1\n`, `wg0\t${key('B')}\t1\t2\n`)).toHaveLength(1);
});

test('a device without peers is not an error', () => {
  expect(parsePeers('', '')).toEqual([]);
});

test('the lines of a dump, which hold private keys, are not taken for peers', () => {
  const dump = `wg0\t${key('P')}\t${key('Q')}\t51820\toff\nwg0\t${key('R')}\t${key('S')}\t[::1]:1\t(none)\t0\t1\t2\toff\n`;

  expect(() => parsePeers(dump, dump)).toThrow(
    /^could not understand wg show all (transfer|latest-handshakes): expected interface, key and numbers of each peer$/,
  );
  expect(parsePeers(`wg0\t${key('A')}\t1\n${dump}`, `wg0\t${key('A')}\t1\t2\n${dump}`)).toHaveLength(1);
});
