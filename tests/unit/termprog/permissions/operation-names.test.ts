import { expect, test } from 'vitest';
import { unknownNames } from '../../../../src/termprog/permissions/operation-names.ts';
import { processorMs } from '../../../harness/processor-time.ts';
import { optionsWith } from '../options/options-with.ts';

for (const [list, value] of [
  ['disallowedWindowOps', 'getselection, ~SET*, 20,16,99,,~ ,?etXprop,RaiseWin,'],
  ['disallowedColorOps', 'SetColor,Get*'],
  ['disallowedTcapOps', '*'],
] as const) {
  test(`in ${list} every word of "${value}" is known`, () => {
    expect(unknownNames(optionsWith({ [list]: value }))).toEqual([]);
  });
}

test('every word is known without resources', () => {
  expect(unknownNames(optionsWith({}))).toEqual([]);
});

test('an entry that names no operation is reported, with those that do', () => {
  const settings = { disallowedColorOps: 'SetColour,~Get*', disallowedTcapOps: 'GetTcap,~GetSelection,RaiseWin' };
  expect(unknownNames(optionsWith(settings))).toEqual([
    'resource vt100.disallowedColorOps: "SetColour" is not the name of an operation; expected SetColor, GetColor, GetAnsiColor',
    'resource vt100.disallowedTcapOps: "GetSelection", "RaiseWin" are not names of operations; expected SetTcap, GetTcap',
  ]);
});

test('a list of very many entries is looked at in bounded time', () => {
  const options = optionsWith({ disallowedWindowOps: 'x*x?x,'.repeat(500_000) });
  expect(processorMs(() => unknownNames(options))).toBeLessThan(500);
});
