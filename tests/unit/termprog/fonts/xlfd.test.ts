import { expect, test } from 'vitest';
import { boldNameOf, unicodeNameOf, wideNameOf } from '../../../../src/termprog/fonts/xlfd.ts';

const fixed = '-Misc-Fixed-Medium-R-SemiCondensed--13-120-75-75-C-60-ISO8859-1';

test('the bold form differs in its weight', () => {
  expect(boldNameOf(fixed)).toBe('-Misc-Fixed-bold-R-SemiCondensed--13-120-75-75-C-60-ISO8859-1');
  expect(boldNameOf('-Misc-Fixed-Bold-R-SemiCondensed--13-120-75-75-C-60-ISO8859-1')).toBeUndefined();
});

test('the Unicode form differs in its character set', () => {
  expect(unicodeNameOf(fixed)).toBe('-Misc-Fixed-Medium-R-SemiCondensed--13-120-75-75-C-60-iso10646-1');
  expect(unicodeNameOf('-Misc-Fixed-Medium-R-SemiCondensed--13-120-75-75-C-60-ISO10646-1')).toBeUndefined();
});

test('the wide form has twice the width, of any style and resolution', () => {
  expect(wideNameOf(fixed)).toBe('-Misc-Fixed-Medium-R-*-*-13-*-*-*-C-120-iso10646-1');
  expect(wideNameOf('-misc-fixed-medium-r-normal--18-120-100-100-c-90-iso10646-1')).toBe(
    '-misc-fixed-medium-r-*-*-18-*-*-*-c-180-iso10646-1',
  );
});

test('a name that is not a full one has none of these forms', () => {
  for (const name of ['fixed', '9x15', '', '-misc-fixed-medium']) {
    expect([boldNameOf(name), unicodeNameOf(name), wideNameOf(name)]).toEqual([undefined, undefined, undefined]);
  }
});
