import { expect, test } from 'vitest';
import { CutOutput } from '../../../../src/termprog/engine/cut-output.ts';
import { snapshotOf, startEngine } from '../../../harness/terminal-engine.ts';

function isHeld(text: string | readonly number[]): boolean {
  const bytes = Buffer.from(text as string);
  return new CutOutput().hold(bytes, 0, bytes.length);
}

test('the beginning of a plain sequence is held, and what the parser must read is not', () => {
  const plain = ['\x1b', '\x1b[', '\x1b[?', '\x1b[?2', '\x1b[38;5;200;48;5'];
  const other = ['\x1b]', '\x1b[>', '\x1b[3:', '\x1b[m', '\x1b[ ', '\x1b[3?', 'a', '\x07', `\x1b[${'1;'.repeat(60)}`];
  expect(plain.map(isHeld)).toEqual(plain.map(() => true));
  expect(other.map(isHeld)).toEqual(other.map(() => false));
});

test('the beginning of a character is held, unless no character begins so', () => {
  const valid = [[0xc3], [0xe6], [0xe6, 0xbc], [0xe0, 0xa0], [0xed, 0x9f], [0xf0, 0x9f, 0x98], [0xf4, 0x8f]];
  const invalid = [[0x80], [0xc1], [0xff], [0xc3, 0xa9], [0xe0, 0x80], [0xed, 0xa0], [0xf0, 0x80], [0xf4, 0x90]];
  expect(valid.map(isHeld)).toEqual(valid.map(() => true));
  expect(invalid.map(isHeld)).toEqual(invalid.map(() => false));
});

for (const text of ['a\x1b[1;31;42mb', 'a\x1b[?25lb', 'aéb漢c👍d', 'e\u0301\x1b[3;4Hx\x1b[3b', 'a\x1b]0;t\x07b']) {
  test(`${JSON.stringify(text)} has the same effect wherever it is cut`, () => {
    const bytes = Buffer.from(text);
    const whole = startEngine();
    whole.engine.write(bytes);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const { engine } = startEngine();
      engine.write(bytes.subarray(0, cut));
      engine.write(bytes.subarray(cut));
      expect(snapshotOf(engine)).toEqual(snapshotOf(whole.engine));
    }
  });
}

test('bytes that follow the beginning of a character and do not belong to it keep their meaning', () => {
  const { write, engine, text } = startEngine();
  engine.write(Buffer.from([0xe6, 0xbc]));
  write('\x1b[3Cx');
  expect(text(0)).toBe('\ufffd   x');
});
