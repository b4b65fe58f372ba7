import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compoundTextOf, utf8OfCompoundText } from '../../../../src/termprog/selection/compound-text.ts';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';
import { processorMs } from '../../../harness/processor-time.ts';

const read = (bytes: Buffer): string => Buffer.from(utf8OfCompoundText(bytes)).toString('utf8');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

test('text comes back as it was, without its control characters', () => {
  const character = fc.constantFrom('a', ' ', '\n', '\t', 'é', 'ÿ', 'ā', '漢', '🎉', '\x1b', '\x9b', '\0');
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      expect(read(compoundTextOf(Buffer.from(text)))).toBe(
        text.replaceAll('\0', '').replaceAll('\x1b', '').replaceAll('\x9b', ''),
      );
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test('a text with frames between its letters becomes it at once', () => {
  const frames = Buffer.from('é│ a│ '.repeat(200_000));
  expect(processorMs(() => compoundTextOf(frames))).toBeLessThan(500);
});

test.each([
  ['plain\n\ttext é', 'plain\n\ttext é'],
  ['\x1b-B\xa3\xb3\x1b-A\xb3', 'Łł³'],
  ['\x1b-L\xb0\xd1 a', 'Аб a'],
  ['\x1b$(B4A\x1b(B4A', '漢4A'],
  ['\x1b$)C\xb0\xa1 \x1b$(C0!', '가 가'],
  ['\x1b$(A::', '汉'],
  ['a\x1b%/1\x80\x83abcz', 'a\ufffdz'],
  ['\x1b%G\xe6\xbc\xa2', '漢'],
  ['\x9b1]right\x9b]', 'right'],
  ['\x1b$(Q4A', '\ufffd'],
  ['\x1b', ''],
])('%j says %j', (compound, text) => {
  expect(read(latin1(compound))).toBe(text);
});

test('any bytes are decoded without a failure', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(typeof read(Buffer.from(bytes))).toBe('string');
    }),
    { numRuns: fuzzRuns(2_000) },
  );
});

test('a text that changes between its halves at each byte is read as fast as any other', () => {
  const text = latin1(`\x1b-B${'a\xb1'.repeat(1_000_000)}`);
  const started = process.cpuUsage();
  expect(read(text)).toBe('aą'.repeat(1_000_000));
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});
