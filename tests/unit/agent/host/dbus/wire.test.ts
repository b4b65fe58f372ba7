import { expect, test } from 'vitest';
import { WireError, WireReader, WireWriter } from '../../../../../src/agent/host/dbus/wire.ts';

const read = (signature: string, hex: string, littleEndian = true) =>
  new WireReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'), littleEndian).values(signature);

for (const [signature, little, big, value] of [
  ['y', 'ff', 'ff', 255],
  ['b', '01000000', '00000001', true],
  ['n', 'feff', 'fffe', -2],
  ['q', 'feff', 'fffe', 65_534],
  ['i', 'feffffff', 'fffffffe', -2],
  ['u', 'feffffff', 'fffffffe', 4_294_967_294],
  ['x', 'feffffffffffffff', 'fffffffffffffffe', -2n],
  ['t', 'ffffffffffffffff', 'ffffffffffffffff', 2n ** 64n - 1n],
  ['d', '000000000000f03f', '3ff0000000000000', 1],
  ['s', '02000000 c3a900', '00000002 c3a900', 'é'],
  ['o', '01000000 2f00', '00000001 2f00', '/'],
  ['g', '02 6173 00', '02 6173 00', 'as'],
  ['v', '01 7400 0000000000 2a00000000000000', '01 7400 0000000000 000000000000002a', 42n],
  ['as', '0f000000 01000000 6100 0000 02000000 626200', '0000000f 00000001 6100 0000 00000002 626200', ['a', 'bb']],
  ['a(yv)', '00000000 00000000', '00000000 00000000', []],
  ['a{sv}', '0a000000 00000000 01000000 6b00 01 7900 07', '0000000a 00000000 00000001 6b00 01 7900 07', [['k', 7]]],
] as const) {
  test(`a value of type ${signature} is read in both byte orders`, () => {
    expect(read(signature, little)).toEqual([value]);
    expect(read(signature, big, false)).toEqual([value]);
  });
}

for (const [what, signature, hex] of [
  ['a string longer than the message', 's', 'ffffff7f 61'],
  ['a string without its end', 's', '01000000 6161'],
  ['a number cut off', 't', '0000'],
  ['an array longer than the message', 'as', '000000f0'],
  ['an array whose length cuts its last item', 'au', '05000000 0000000000000000'],
  ['an unknown type', 'z', '00'],
  ['an array of nothing', 'a', '00000000'],
  ['an empty struct', 'a()', '10000000 00000000'],
  ['a struct that does not end', '(u', '00000000'],
  ['a variant of nothing', 'v', '00 00'],
  ['a variant of two', 'v', '02 7979 00 01 02'],
  ['an unknown type in a variant', 'v', '01 7a 00 00'],
  ['a thousand variants in each other', 'v', '01 7600 '.repeat(1000)],
  ['a thousand arrays in each other', 'a'.repeat(1000), '00000000'],
] as const) {
  test(`${what} is refused`, () => {
    expect(() => read(signature, hex)).toThrow(WireError);
  });
}

test('written messages are read again, however long', () => {
  for (const length of [0, 1, 500, 511, 512, 513, 5000]) {
    const writer = new WireWriter();
    const texts = ['é'.repeat(length), 'x'.repeat(length)];
    writer.argument('first');
    writer.argument(texts);
    writer.uint32(7);
    writer.signature('as');

    expect(new WireReader(writer.bytes(), true).values('sasug')).toEqual(['first', texts, 7, 'as']);
  }
});
