import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { startMouse } from '../../unit/termprog/input/mouse/start-mouse.ts';

const RUNS = fuzzRuns(2_000);

/** Numbers from 1 to 9999. */
const NUMBER = '[1-9]\\d{0,3}';
/** A character from `least` on, as characters are written in a class, or the one for what is too large. */
const place = (most: string): string => `[\\0\\x21-\\u${most}]`;

/**
 * The forms of all reports, by encoding; other bytes may not reach an application. Places of highlights are one or
 * three.
 */
const inCharacters = (most: string): RegExp =>
  new RegExp(`^\\x1b\\[(?:M[\\x20-\\u${most}]${place(most)}{2}|t${place(most)}{2}|T${place(most)}{6})$`, 's');
const HIGHLIGHT = `${NUMBER};${NUMBER}t|(?:${NUMBER};){5}${NUMBER}T`;
const SGR = new RegExp(`^\\x1b\\[<(?:\\d{1,3};${NUMBER};${NUMBER}[Mm]|${HIGHLIGHT})$`);
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['', inCharacters('00ff')],
  ['1005', inCharacters('07ff')],
  ['1006', SGR],
  ['1015', new RegExp(`^\\x1b\\[(?:\\d{2,3};${NUMBER};${NUMBER}M|${HIGHLIGHT})$`)],
  ['1016', SGR],
]);

const coordinate = fc.oneof(fc.integer({ min: -40, max: 2_000 }), fc.constantFrom(-32_768, 32_767, 0, 1, 2));
const event = fc.record({
  kind: fc.constantFrom('press' as const, 'release' as const, 'motion' as const, 'key' as const, 'other' as const),
  button: fc.integer({ min: 0, max: 255 }).map((button) => (button > 20 ? (button % 5) + 1 : button)),
  state: fc.integer({ min: 0, max: 0xffff }),
  x: coordinate,
  y: coordinate,
});
const parameter = fc.oneof(fc.integer({ min: -2, max: 60 }), fc.constantFrom(1e9, 2_147_483_647));
const step = fc.oneof(
  { weight: 6, arbitrary: event.map((given) => ({ what: 'event' as const, given })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016), fc.constantFrom('h', 'l'))
      .map(([mode, final]) => ({ what: 'mode' as const, given: `\x1b[?${mode}${final}` })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ column: parameter, row: parameter, firstRow: parameter, lastRow: parameter })
      .map((given) => ({ what: 'answer' as const, given })),
  },
  { weight: 1, arbitrary: fc.boolean().map((given) => ({ what: 'permission' as const, given })) },
);

type Step = typeof step extends fc.Arbitrary<infer Given> ? Given : never;

test('only whole reports are sent, for any motion of the mouse and any request of an application', () => {
  const size = fc.record({ columns: fc.integer({ min: 1, max: 400 }), rows: fc.integer({ min: 1, max: 80 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), size, (steps, given) => {
      const mouse = startMouse(given);
      let encoding = '';
      for (const each of steps) {
        const sent = take(mouse, each);
        encoding = encodingAfter(each, encoding);
        const form = FORMS.get(encoding);
        expect(reportsIn(sent, encoding).filter((report) => form?.test(report) !== true)).toEqual([]);
      }
    }),
    { numRuns: RUNS },
  );
});

test('reported presses and releases of each button take turns', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      const mouse = startMouse();
      mouse.write('\x1b[?1003h\x1b[?1006h');
      const held = new Set<number>();
      for (const given of events) {
        mouse.state.sent = '';
        mouse.tracking.offer(mouse.event(given.kind, given));
        const [, code, final] = /<(\d+);\d+;\d+([Mm])/.exec(mouse.state.sent) ?? [];
        const isMotion = (Number(code) & 32) !== 0;
        if (code === undefined || isMotion) continue;
        const button = Number(code) & ~0b11100;
        if (final === 'm') expect(held.delete(button)).toBe(true);
        else held.add(button);
      }
    }),
    { numRuns: RUNS },
  );
});

/** A report may come with the next one: the release that an application's silence held back. */
function reportsIn(sent: string, encoding: string): string[] {
  const text = encoding === '1005' ? Buffer.from(sent, 'latin1').toString('utf8') : sent;
  const [before = '', ...reports] = text.split('\x1b');
  return [...(before === '' ? [] : [before]), ...reports.map((report) => `\x1b${report}`)];
}

/** Does a step, and returns what is sent. */
function take(mouse: ReturnType<typeof startMouse>, { what, given }: Step): string {
  mouse.state.sent = '';
  if (what === 'mode') mouse.write(given);
  else if (what === 'answer') mouse.highlights.take(given.column < 0 ? undefined : given);
  else if (what === 'permission') mouse.state.isAllowed = given;
  else mouse.tracking.offer(mouse.event(given.kind, given));
  return mouse.state.sent;
}

/** Returns the encoding after a step. */
function encodingAfter({ what, given }: Step, encoding: string): string {
  const [, number = '', final] = (what === 'mode' && /(\d+)(\w)/.exec(given)) || [];
  if (number === '' || !FORMS.has(number)) return encoding;
  if (final === 'h') return number;
  return number === encoding ? '' : encoding;
}
