import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from '../../../../src/termprog/pty/byte-text.ts';

test('text in UTF-8 is itself', () => {
  for (const text of ['', 'plain', 'é漢😀', '\ufffd', '\ufeff']) expect(textOfBytes(Buffer.from(text))).toBe(text);
});

test('a byte that is not part of a character is kept beside the characters', () => {
  const text = textOfBytes(Buffer.from('caf\xe9 \xc3\xa9 \xf0\x9f\x98', 'latin1'));
  expect(text).toBe('caf\udce9 é \udcf0\udc9f\udc98');
  expect(bytesOfText(text).toString('latin1')).toBe('caf\xe9 \xc3\xa9 \xf0\x9f\x98');
});

test('any bytes come back as they were', () => {
  const lead = fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xf0, 0x9f, 0x98, 0xff);
  fc.assert(
    fc.property(fc.array(fc.oneof(lead, fc.integer({ min: 1, max: 255 })), { maxLength: 40 }), (bytes) => {
      expect([...bytesOfText(textOfBytes(Buffer.from(bytes)))]).toEqual(bytes);
    }),
  );
});
