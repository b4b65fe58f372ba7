import { expect, test } from 'vitest';
import { decodeMessage, encodeCall, MessageStream } from '../../../../../src/agent/host/dbus/message.ts';
import { WireError, WireReader } from '../../../../../src/agent/host/dbus/wire.ts';
import { encodeError, encodeReturn } from '../../../../harness/fake-bus.ts';

test('a call has its header fields, and its arguments behind them', () => {
  const call = { destination: 'd.e', path: '/a/b/c', interface: 'i.f', member: 'Get', args: ['x', ['Name']] };

  const bytes = encodeCall(call, 7);

  // Little-endian, a method call that starts no service, version 1; then the length of the body and the serial.
  expect(bytes.subarray(0, 12).toString('hex')).toBe('6c0102011500000007000000');
  const reader = new WireReader(bytes, true, 12);
  const fields = [
    [1, '/a/b/c'],
    [2, 'i.f'],
    [3, 'Get'],
    [6, 'd.e'],
    [8, 'sas'],
  ];
  expect(reader.values('a(yv)')).toEqual([fields]);
  reader.align(8);
  expect(reader.values('sas')).toEqual(call.args);
  expect(reader.offset).toBe(bytes.length);
});

test('answers and errors are distinguished, and all else is skipped', () => {
  expect(decodeMessage(encodeReturn(9, 's', (body) => body.string('x')))).toEqual({
    kind: 'return',
    replySerial: 9,
    values: ['x'],
  });
  expect(decodeMessage(encodeError(9, 'a.b', 'no'))).toEqual({
    kind: 'error',
    replySerial: 9,
    name: 'a.b',
    text: 'no',
  });
  const call = { destination: 'd.e', path: '/', interface: 'i.f', member: 'M', args: [] };
  expect(decodeMessage(encodeCall(call, 1))).toEqual({ kind: 'other' });
});

test('messages are cut from a stream wherever its pieces end', () => {
  const messages = [1, 2, 3].map((serial) => encodeReturn(serial, 's', (body) => body.string('x'.repeat(serial * 50))));
  const whole = Buffer.concat(messages);

  for (const size of [1, 7, 16, 17, 100, whole.length]) {
    const stream = new MessageStream();
    const found: Buffer[] = [];
    for (let start = 0; start < whole.length; start += size)
      found.push(...stream.push(whole.subarray(start, start + size)));
    expect(found).toEqual(messages);
  }
});

for (const [what, hex] of [
  ['no byte order', '78020001000000000100000000000000'],
  ['another version', '6c020002000000000100000000000000'],
  ['a gigabyte of body', '6c020001000000400100000000000000'],
  ['a gigabyte of header', '6c020001000000000100000000000040'],
] as const) {
  test(`a message with ${what} is refused before it is held`, () => {
    expect(() => new MessageStream().push(Buffer.from(hex, 'hex'))).toThrow(WireError);
  });
}
