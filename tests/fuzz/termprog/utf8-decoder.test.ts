import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Utf8Decoder } from '../../../src/termprog/engine/control-parser.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => new Uint8Array(Buffer.from(text, 'utf8'))),
);

test('any bytes in any pieces decode as in browsers', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const decoder = new Utf8Decoder();
      const decoded = [...pieces, Uint8Array.of(0x2e)].flatMap((bytes) => {
        const target = new Uint32Array(bytes.length + 1);
        return [...target.subarray(0, decoder.decode(bytes, 0, bytes.length, target))];
      });
      const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        Buffer.concat([...pieces, Buffer.from('.')]),
      );
      expect(String.fromCodePoint(...decoded)).toBe(expected);
    }),
    { numRuns: fuzzRuns(2_000) },
  );
});
