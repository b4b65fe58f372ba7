import { expect, test } from 'vitest';
import { isNumericForm, parseColor } from '../../../../src/termprog/color/parse-color.ts';

const hexOf = (spec: string): string | undefined => {
  const color = parseColor(spec);
  return color && Buffer.from([color.red, color.green, color.blue]).toString('hex');
};

// These are the answers of libX11 1.8 on a display of 8 bits a channel.
for (const [spec, expected] of [
  ['#f00', 'f00000'],
  ['#8f0000', '8f0000'],
  ['#8ff000000', '8f0000'],
  ['#8fff00000000', '8f0000'],
  ['#FfF', 'f0f0f0'],
  ['rgb:f/8/0', 'ff8800'],
  ['RGB:ff/80/00', 'ff8000'],
  ['rgb:fff/800/000', 'ff8000'],
  ['rgb:ffff/8000/0', 'ff8000'],
  ['rgbi:1/1/1', 'ffffff'],
  ['rgbi:0.5/0.5/0.5', 'c1bbbb'],
  ['rgbi:0/0/0', '000000'],
  ['CIEXYZ:1/1/1', 'ffffff'],
  ['CIEXYZ:0.5/0.5/0.5', 'ddb5a0'],
  ['CIEXYZ:0/0/0', '000000'],
  ['CIEuvY:1/1/1', 'ffffff'],
  ['CIEuvY:0.5/0.5/0.5', 'ffa3ae'],
  ['CIExyY:0.5/0.5/0.5', 'f7b30e'],
  ['CIELab:1/1/1', '6c6767'],
  ['CIELab:0.5/0.5/0.5', '524f4f'],
  ['CIELuv:1/1/1', '16140e'],
  ['CIELuv:0/10/10', '000000'],
  ['CIELuv:0.2671/0/100', '0d130e'],
  ['CIELuv:50/-100/0', '85840e'],
  ['CIELuv:50/0/-100', '7653ff'],
  ['CIExyY:0.5/0/0.5', 'ff9cd1'],
  ['CIEuvY:0/0/1', 'ffffff'],
  ['CIEXYZ:1/0/0', '000000'],
  ['CIEXYZ:0/-0.000005/0', '09000e'],
  ['CIELab:50/1e10/1', 'e70081'],
  ['TekHVC:0/100.000005/0', 'ffffff'],
  ['TekHVC:1/1/1', '1a130f'],
  ['TekHVC:0.5/0.5/0.5', '11130e'],
  ['tekhvc:120/50/30', '518b56'],
  ['TekHVC:0/100/0', 'ffffff'],
] as const) {
  test(`${spec} is #${expected}, as libX11 has it`, () => {
    expect(hexOf(spec)).toBe(expected);
  });
}

for (const spec of [
  '',
  'red',
  '#',
  '#ff',
  '#ggg',
  '#1234567890123',
  'rgb:f/f',
  'rgb:f/f/f/f',
  'rgb:12345/0/0',
  'rgb:-1/0/0',
  'rgba:1/1/1/1',
  'rgbi:1/1',
  'rgbi:a/b/c',
  'rgbi:1e9999/0/0',
  'CIEXYZ:0/2/0',
  'CIExyY:0.5/0.5/1.5',
  'CIELab:101/0/0',
  'CIELab:100/1e300/1',
  'TekHVC:0/50/-1',
  'constructor:1/1/1',
  `#${'f'.repeat(1_000)}`,
]) {
  test(`${JSON.stringify(spec.slice(0, 20))} is not a colour by numbers`, () => {
    expect(parseColor(spec)).toBeUndefined();
  });
}

test('only texts without a prefix may be names', () => {
  expect(['red', 'light blue', '#zzz', 'rgb:x'].map(isNumericForm)).toEqual([false, false, true, true]);
});
