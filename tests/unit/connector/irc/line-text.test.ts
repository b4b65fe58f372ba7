import { expect, test } from 'vitest';
import { textsOf } from '../../../../src/connector/irc/line-text.ts';

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

test('a line that is not UTF-8 is read as windows-1252, and the lines around it are not', () => {
  const lines = bytes('café\nca', [0x66, 0xe9], '\n', [0x93], 'costs 5 ', [0x80, 0x94], '\n日本');

  expect(textsOf(lines)).toEqual(['café', 'café', '“costs 5 €”', '日本']);
});

test('UTF-8 whose last character was cut by a server stays what it is', () => {
  const cut = Buffer.from('🙂🙂🙂').subarray(0, 10);

  expect(textsOf(Buffer.concat([cut, Buffer.from('\r')]))).toEqual(['🙂🙂\ufffd\r']);
});

test('lines in both encodings, and invalid bytes, all become text', () => {
  const [mixed = '', nothing = ''] = textsOf(bytes('é', [0xe9], ' end\n', [0x81, 0xff]));

  expect([mixed, nothing]).toEqual(['Ã©é end', '\u0081ÿ']);
});

test('a message in another encoding keeps the names of the channel and the sender', () => {
  const said = (...text: (string | number[])[]) =>
    bytes('@time=2026-01-01T00:00:00.000Z :jürgen!~j@host PRIVMSG #tschüss :', ...text);

  expect(textsOf(said('ca', [0x66, 0xe9], ' : ', [0x80]))).toEqual([
    '@time=2026-01-01T00:00:00.000Z :jürgen!~j@host PRIVMSG #tschüss :café : €',
  ]);
  expect(textsOf(bytes(':j', [0xfc], 'rgen!~j@host PRIVMSG #tschüss :日本\r'))).toEqual([
    ':jürgen!~j@host PRIVMSG #tschüss :日本\r',
  ]);
  expect(textsOf(bytes('PRIVMSG #tschüss caf', [0xe9]))).toEqual(['PRIVMSG #tschüss café']);
  expect(textsOf(bytes(':', [0xe9]))).toEqual([':é']);
});
