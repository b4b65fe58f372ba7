import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PeerLabels, PeerNumbers, peerNames } from '../../../../../src/agent/collectors/programs/peer-labels.ts';

test('names and keys from the host win over those from its network', () => {
  const own = { ada: 'A', grace: 'G2' };
  const network = { augusta: 'A', grace: 'G1', hedy: 'H' };

  expect(Object.fromEntries(peerNames(own, network))).toEqual({ A: 'ada', G2: 'grace', H: 'hedy' });
});

test('unnamed peers keep their numbers when others come and go', () => {
  const labels = new PeerLabels(new Map([['B', 'bob']]));

  expect(labels.of(['A', 'B', 'C'])).toEqual(['unnamed1', 'bob', 'unnamed2']);
  expect(labels.of(['AA', 'B', 'C'])).toEqual(['unnamed3', 'bob', 'unnamed2']);
  expect(labels.of(['A', 'AA'])).toEqual(['unnamed1', 'unnamed3']);
});

test('a new configuration leaves unnamed peers their numbers, but for those it gives away', () => {
  const numbers = new PeerNumbers();
  const labelsBy = (names: Record<string, string>) => new PeerLabels(new Map(Object.entries(names)), numbers);
  labelsBy({}).of(['B', 'C']);

  expect(labelsBy({}).of(['A', 'B', 'C'])).toEqual(['unnamed3', 'unnamed1', 'unnamed2']);
  expect(labelsBy({ A: 'ada' }).of(['A', 'B', 'C'])).toEqual(['ada', 'unnamed1', 'unnamed2']);
  expect(labelsBy({ A: 'unnamed1' }).of(['A', 'B', 'C'])).toEqual(['unnamed1', 'unnamed4', 'unnamed2']);
});

test('a host that is called unnamed1 does not share that label', () => {
  expect(new PeerLabels(new Map([['B', 'unnamed1']])).of(['A', 'B', 'C'])).toEqual([
    'unnamed2',
    'unnamed1',
    'unnamed3',
  ]);
});

test('labels do not depend on the order a program lists peers in, once they are sorted', () => {
  const keys = ['A', 'B', 'C', 'D', 'E'];
  fc.assert(
    fc.property(fc.shuffledSubarray(keys, { minLength: 5 }), (shuffled) => {
      expect(new PeerLabels(new Map()).of(shuffled.toSorted())).toEqual(new PeerLabels(new Map()).of(keys));
    }),
  );
});

test('peers that are made and thrown away do not fill the memory', () => {
  const labels = new PeerLabels(new Map());
  for (let round = 0; round < 30; round += 1) {
    labels.of(['kept', ...Array.from({ length: 1000 }, (_, index) => `${round}/${index}`)]);
  }

  expect(labels.of(['kept'])).toEqual(['unnamed1']);
});
