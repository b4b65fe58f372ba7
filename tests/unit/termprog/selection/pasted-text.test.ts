import { expect, test } from 'vitest';
import { pastedBytes } from '../../../../src/termprog/selection/pasted-text.ts';

const pasted = (text: string | Buffer, isBracketed = false): string =>
  Buffer.from(pastedBytes(Buffer.from(text), { isBracketed })).toString('utf8');

test('lines end as the Return key does, however they ended before', () => {
  expect(pasted('a\nb\r\nc\rd\n\ne')).toBe('a\rb\rc\rd\r\re');
});

test('control characters are left out, but for tabs', () => {
  const controls = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code)).replace(/[\t\n\r]/g, '');
  expect(pasted(`a\t${controls}\x7f\x80\x85\x9b\x9f\xa0é漢🎉`)).toBe('a\t\xa0é漢🎉');
});

test('a pasted text is marked for applications that asked, and can not end its mark', () => {
  expect(pasted('rm -r\n', true)).toBe('\x1b[200~rm -r\r\x1b[201~');
  expect(pasted('a\x1b[201~b\x9b201~c', true)).toBe('\x1b[200~a[201~b201~c\x1b[201~');
  expect(pasted('\x1b', true)).toBe('');
});
