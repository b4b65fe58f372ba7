import { expect, test } from 'vitest';
import { canonicalFilters, isFindable, matchesFilters } from '../../../../src/connector/domain/mention-filters.ts';

const SAID = {
  network: 'Main',
  channel: '#Room',
  sender: 'Bob[1]',
  text: 'ada: the \u0002DEPLOY\u0002 of ΟΔΟΣ is done',
};

for (const [what, filters] of [
  ['nothing', {}],
  ['the network in any case', { network: 'main' }],
  ['the channel in any case', { channel: '#rOOM' }],
  ['the channel without its #', { channel: 'room' }],
  ['the sender as nicks compare', { sender: 'bob{1}' }],
  ['a phrase in any case, through formatting', { keyword: 'The Deploy of' }],
  ['a phrase whose last letter has another small form inside a text', { keyword: 'οδοσ' }],
  ['all of them', { network: 'Main', channel: '#room', sender: 'bob[1]', keyword: 'done' }],
] as const) {
  test(`a mention matches filters that name ${what}`, () => {
    expect(matchesFilters(filters, SAID)).toBe(true);
  });
}

for (const [what, filters] of [
  ['another network', { network: 'other' }],
  ['another channel', { channel: '#rooms' }],
  ['another sender', { sender: 'bob' }],
  ['a phrase that is not there', { keyword: 'deploys' }],
  ['one thing of several wrongly', { network: 'main', channel: '#room', sender: 'bob[1]', keyword: 'undone' }],
] as const) {
  test(`a mention does not match filters that name ${what}`, () => {
    expect(matchesFilters(filters, SAID)).toBe(false);
  });
}

test('filters that mean the same are the same, however they are written and ordered', () => {
  const written = { keyword: 'Deploy', channel: 'Room', sender: 'Bob{1}', network: 'MAIN' };
  const other = { network: 'main', sender: 'bob[1]', channel: '#room', keyword: '\u0002deploy' };

  expect(JSON.stringify(canonicalFilters(written))).toBe(JSON.stringify(canonicalFilters(other)));
  expect(canonicalFilters({})).toEqual({});
});

test('a phrase of blanks and formatting alone matches no text', () => {
  expect([' ', '\u0002\u000f', '\u0002a'].map(isFindable)).toEqual([false, false, true]);
});
