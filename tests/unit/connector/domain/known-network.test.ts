import { expect, test } from 'vitest';
import { followNames, type KnownNetwork } from '../../../../src/connector/domain/known-network.ts';

const at = (name: string, host = 'one') => ({ name, address: `ircs://${host}.example` });

test('a new name for the address of a name that is gone is the same network, over any number of names', () => {
  const first = followNames([], [at('main'), at('quiet', 'two')]);
  expect(first).toEqual({ known: [known('main'), known('quiet', 'two')], renamed: [] });

  const second = followNames(first.known, [at('libera'), at('quiet', 'two')]);
  expect(second).toEqual({
    known: [known('libera', 'one', { linesAs: 'main', earlierNames: ['main'] }), known('quiet', 'two')],
    renamed: [{ from: 'main', to: 'libera' }],
  });

  const third = followNames(second.known, [at('main'), at('quiet', 'two')]);
  expect(third.renamed).toEqual([{ from: 'libera', to: 'main' }]);
  expect(third.known[0]).toEqual(known('main', 'one', { earlierNames: ['libera'] }));
});

test('a network that takes the earlier name of another one is another network, and their lines are distinguished', () => {
  const renamed = followNames([known('main')], [at('libera')]);
  const { known: networks } = followNames(renamed.known, [at('libera'), at('main', 'two')]);

  expect(networks).toEqual([known('libera', 'one', { linesAs: 'main' }), known('main', 'two', { linesAs: 'main 2' })]);
});

for (const [what, before, now] of [
  ['another address', [known('main')], [at('libera', 'two')]],
  ['two names that are gone', [known('main'), known('second')], [at('libera')]],
  ['two names that are new', [known('main')], [at('libera'), at('third')]],
  ['names that are exchanged', [known('main'), known('quiet', 'two')], [at('quiet'), at('main', 'two')]],
  ['an address of a network that is still there', [known('main')], [at('main'), at('libera')]],
] as const) {
  test(`no network is taken for another one by ${what}`, () => {
    expect(followNames(before, now).renamed).toEqual([]);
  });
}

test('a network that was left out of the configuration is the same when it comes back under another name', () => {
  const without = followNames([known('main'), known('quiet', 'two')], [at('main')]);

  expect(followNames(without.known, [at('main'), at('calm', 'two')]).renamed).toEqual([{ from: 'quiet', to: 'calm' }]);
});

function known(name: string, host?: string, more: Partial<KnownNetwork> = {}): KnownNetwork {
  return {
    ...at(name, host),
    linesAs: name,
    earlierNames: [],
    ...more,
  };
}
