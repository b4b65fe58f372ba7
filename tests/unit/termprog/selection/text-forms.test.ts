import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latin1Of, utf8Of, utf8OfLatin1 } from '../../../../src/termprog/selection/text-forms.ts';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';
import { processorMs } from '../../../harness/processor-time.ts';

const options = { numRuns: fuzzRuns(2_000) };
const bytes = fc.uint8Array({ maxLength: 40 });

test('UTF-8 stays as it is, and other bytes become UTF-8', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const text = utf8Of(given);
      expect(isUtf8(text)).toBe(true);
      if (isUtf8(given)) expect(Buffer.from(text)).toEqual(Buffer.from(given));
      else expect(Buffer.from(text).toString()).toContain('\ufffd');
    }),
    options,
  );
});

test('Latin-1 comes back from UTF-8 byte for byte', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      expect(latin1Of(utf8OfLatin1(given))).toEqual(Buffer.from(given));
    }),
    options,
  );
});

test('each character that Latin-1 lacks is one question mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const wellFormed = text.toWellFormed();
      const expected = [...wellFormed].map((one) => ((one.codePointAt(0) ?? 0) > 0xff ? '?' : one)).join('');
      expect(latin1Of(Buffer.from(wellFormed)).toString('latin1')).toBe(expected);
    }),
    options,
  );
});

test('a part of a larger buffer is read as that part', () => {
  const whole = Buffer.from('before-Zoë-after');
  expect(latin1Of(whole.subarray(7, 11)).toString('latin1')).toBe('Zoë');
});

test('ten million characters become Latin-1 at once', () => {
  expect(processorMs(() => latin1Of(Buffer.alloc(10_000_000, 'text ')))).toBeLessThan(200);
});

test('a text with frames between its letters becomes Latin-1 at once', () => {
  const frames = Buffer.from('é│ a│ '.repeat(900_000));
  expect(processorMs(() => latin1Of(frames))).toBeLessThan(300);
});
