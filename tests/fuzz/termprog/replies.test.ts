import fc from 'fast-check';
import { expect, test } from 'vitest';
import { controlFunctions } from '../../../src/termprog/engine/functions/index.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { processorMs } from '../../harness/processor-time.ts';
import { ANSWERS, shown } from '../../harness/terminal-answers.ts';
import { snapshotOf, startEngine } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(1_500);
const LONGEST_MS = 1_000;

/** A program that reads the terminal must never find these in an answer: it would take them for keys that were typed. */
const SECRET = 'rm -rf';

const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('', '1000000000', '65535', '2147483648', '996', '1049') },
);
const parameters = fc
  .array(number, { maxLength: 8 })
  .chain((numbers) => fc.constantFrom(';', ':').map((separator) => numbers.join(separator)));

/** Each form that the terminal knows, with any parameters. */
const known = fc.oneof(
  ...controlFunctions.map((definition) => {
    switch (definition.kind) {
      case 'character':
        return fc.constantFrom(...definition.codes).map((code) => String.fromCharCode(code));
      case 'escape':
        return fc.constantFrom(...definition.sequences).map((sequence) => `\x1b${sequence}`);
      case 'csi':
        return fc.tuple(fc.constantFrom(...definition.sequences), parameters).map(([sequence, given]) => {
          const prefix = /^[<=>?]/.test(sequence) ? sequence.slice(0, 1) : '';
          return `\x1b[${prefix}${given}${sequence.slice(prefix.length)}`;
        });
      case 'osc':
        return fc
          .tuple(fc.constantFrom(...definition.numbers), text(), fc.constantFrom('\x07', '\x1b\\'))
          .map(([which, body, end]) => `\x1b]${which};${body}${end}`);
      default:
        return text().map((body) => `\x1bP${definition.sequence}${body}\x1b\\`);
    }
  }),
);

/** Any final byte behind any private marker and intermediate. */
const anyForm = fc
  .tuple(
    fc.constantFrom('', '?', '>', '=', '<'),
    parameters,
    fc.constantFrom('', ' ', '!', '"', '#', '$', '%', '&', "'", '*', '+', '$!'),
    fc.integer({ min: 0x40, max: 0x7e }).map((code) => String.fromCharCode(code)),
  )
  .map((parts) => `\x1b[${parts.join('')}`);

const plain = fc.constantFrom(SECRET, '漢字', '\r\n', 'x\u0301', '\t', ' ');
const stream = fc.array(fc.oneof({ weight: 5, arbitrary: known }, anyForm, plain), { maxLength: 40 });

test('answers are well-formed, and do not repeat what was sent', () => {
  fc.assert(
    fc.property(stream, fc.boolean(), (parts, mayReadLabels) => {
      // Labels are what their reports are for; they are refused by default.
      const permits = (operation: string): boolean => mayReadLabels || !/^Get(?:Icon|Win)Title$/.test(operation);
      const { write, told, engine } = startEngine({ columns: 20, rows: 6, permits });
      const writeAll = (): void => {
        for (const part of parts) write(part);
      };
      expect(processorMs(writeAll)).toBeLessThan(LONGEST_MS);
      const replies = shown(told.replies);
      expect(replies).toMatch(ANSWERS);
      if (!mayReadLabels) expect(replies.replaceAll(/\]\d+;[^␛␇]*/g, '')).not.toContain(SECRET);
      expect(engine.cursor.column < 20 && engine.cursor.row < 6).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test('an answer that a program echoes is not answered', () => {
  fc.assert(
    fc.property(stream, (parts) => {
      const { write, told } = startEngine({ columns: 20, rows: 6 });
      for (const part of parts) {
        // CAN ends a sequence that began before, which an answer would continue.
        write(`\x18${part}\x18`);
        const answers = told.replies;
        told.replies = '';
        write(answers);
        expect(shown(told.replies), shown(`${part} is answered by ${answers}`)).toBe('');
      }
    }),
    { numRuns: RUNS },
  );
});

test('the place of a cut in the output makes no difference', () => {
  fc.assert(
    fc.property(stream, (parts) => {
      const bytes = Buffer.from(parts.join(''), 'utf8');
      const whole = startEngine({ columns: 20, rows: 6 });
      whole.write(bytes);
      const cut = startEngine({ columns: 20, rows: 6 });
      for (let at = 0; at < bytes.length; at += 1) cut.write(bytes.subarray(at, at + 1));
      expect(cut.told).toEqual(whole.told);
      expect(snapshotOf(cut.engine)).toEqual(snapshotOf(whole.engine));
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test('resizes between any two control functions keep the cursor on the screen', () => {
  const size = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(stream, fc.array(size, { minLength: 1, maxLength: 6 }), (parts, sizes) => {
      const { write, engine } = startEngine({ columns: 20, rows: 6 });
      for (const [index, part] of parts.entries()) {
        write(part);
        const [columns, rows] = sizes[index % sizes.length] ?? [1, 1];
        engine.resize(columns, rows);
        expect(engine.cursor.column < columns && engine.cursor.row < rows).toBe(true);
      }
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

function text() {
  return fc
    .array(
      fc.constantFrom(
        SECRET,
        '?',
        ';',
        '1',
        '7;',
        '?;',
        'rgb:1/2/3',
        'c',
        'p',
        'm',
        'r',
        '544e',
        'A',
        'notify',
        '%',
        '\t',
        'ä',
      ),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join(''));
}
