import { expect, test } from 'vitest';
import { announcedCasemapping, fold } from '../../../../src/connector/domain/casemapping.ts';
import { resolveChannel } from '../../../../src/connector/domain/channel.ts';
import { subscriptionIdOf } from '../../../../src/connector/domain/mention-event.ts';
import { matchesFilters } from '../../../../src/connector/domain/mention-filters.ts';

for (const [announced, name, other, isSame] of [
  ['ascii', '#A{x}', '#a{X}', true],
  ['ascii', '#{x}', '#[x]', false],
  ['rfc1459', '#{x}|~', '#[X]\\^', true],
  ['rfc1459-strict', '#{x}|', '#[X]\\', true],
  ['rfc1459-strict', '#a~', '#a^', false],
  ['strict-rfc1459', '#{x}', '#[x]', true],
  ['rfc8265', '#ÄÖ', '#äö', true],
  ['rfc7613', '#{x}', '#[x]', false],
  ['RFC1459', '#{x}', '#[x]', true],
  ['bulgarian-cp1251', '#{x}', '#[x]', false],
  ['ascii', '#ä', '#Ä', false],
] as const) {
  test(`a network that announces ${announced} takes ${name} and ${other} for ${isSame ? 'the same' : 'two'}`, () => {
    const casemapping = announcedCasemapping(announced);

    expect(fold(name, casemapping) === fold(other, casemapping)).toBe(isSame);
    expect(resolveChannel(name, [other], casemapping)).toBe(isSame ? other : undefined);
  });
}

test('when a network takes two channels for the same, the one written as it is named is meant', () => {
  const known = ['#{x}', '#[x]'];

  expect(known.map((name) => resolveChannel(name.toUpperCase(), known, 'rfc1459'))).toEqual(known);
});

test('a filter for a sender compares as the network does', () => {
  const said = { network: 'main', channel: '#{room}', sender: 'bob{1}', text: 'ada: look' };

  for (const filters of [{ sender: 'BOB[1]' }, { channel: '#[Room]' }]) {
    expect(matchesFilters(filters, said, 'rfc1459')).toBe(true);
    expect(matchesFilters(filters, said, 'ascii')).toBe(false);
  }
});

test('filters for two people of a network that distinguishes brackets are two subscriptions', () => {
  const key = { accountId: 'acc', clientId: 'client', url: 'https://a.example/' };
  const [one, other, same] = ['a{b}', 'a[b]', 'A{B}'].map((sender) =>
    subscriptionIdOf({ ...key, filters: { sender } }),
  );

  expect(one).not.toBe(other);
  expect(same).toBe(one);
});
