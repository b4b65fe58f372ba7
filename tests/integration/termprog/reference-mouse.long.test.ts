import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReportingTerminal, startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog, startXDesktop, startXterm, type XDesktop } from '../../harness/start-termprog.ts';

/** Same events, same bytes: the reports of the reference terminal are the right ones. */

/** Translations that only report: other effects of a button do not matter here. */
const REPORT_ALL =
  '*translations: #override\\n<BtnDown>: mouse-press()\\n<BtnUp>: mouse-press()\\n<BtnMotion>: mouse-motion()';

let desktop: XDesktop;
let ours: ReportingTerminal;
/** A terminal of ours with the translations that every terminal starts with. */
let usual: ReportingTerminal;
let reference: ReportingTerminal;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  desktop = parts.use(await startXDesktop());
  ours = parts.use(await startReportingTerminal(desktop, startTermprog, { args: ['-xrm', REPORT_ALL] }));
  usual = parts.use(await startReportingTerminal(desktop, startTermprog, { args: ['-xrm', '*multiClickTime: 0'] }));
  // Without that, the second of two clicks on one place selects a word, and its press is not reported.
  const noDoubleClicks = ['-xrm', '*multiClickTime: 0'];
  reference = parts.use(await startReportingTerminal(desktop, startXterm, { args: noDoubleClicks }));
});

afterAll(() => parts.disposeAsync());

const PROTOCOLS = { x10: 9, buttons: 1000, drag: 1002, motion: 1003 };
const ENCODINGS = { bytes: undefined, 'UTF-8': 1005, SGR: 1006, urxvt: 1015, pixels: 1016 };

const AT_ONCE = ['--delay', '0'];

const held = (keys: readonly string[], steps: readonly (string | number)[]): (string | number)[] => [
  ...keys.flatMap((key) => ['keydown', ...AT_ONCE, key]),
  ...steps,
  ...keys.flatMap((key) => ['keyup', ...AT_ONCE, key]),
];

/** The buttons that a server without a mouse has. We report a turn of the wheel when it begins, xterm when it ends. */
const BUTTONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** With Meta, the second button resets xterm; with Control alone, the first three open menus. */
const WITH_MODIFIERS = [
  { keys: [], buttons: BUTTONS },
  { keys: ['alt'], buttons: [1, 3, 4, 7, 8] },
  { keys: ['ctrl'], buttons: [5, 6, 9] },
  { keys: ['ctrl', 'alt'], buttons: [1, 3, 4, 8] },
];

const CLICKS = WITH_MODIFIERS.flatMap(({ keys, buttons }) =>
  held(
    keys,
    buttons.flatMap((button) => ['click', ...AT_ONCE, button]),
  ),
);

/** Moves the pointer with pauses: xterm sees only the last of several motions that wait together. */
const moves = (...places: readonly (readonly [x: number, y: number])[]): (string | number)[] =>
  places.flatMap(([x, y]) => ['mousemove', x, y, 'sleep', 0.02]);

/** Motions within a cell and into others, with one button, with two, and without a button. */
const DRAGS = [
  moves([62, 41], [63, 42], [68, 42], [68, 54]),
  ['mousedown', 1, ...moves([69, 55], [80, 55], [80, 100]), 'mouseup', 1],
  ['mousedown', 3, ...moves([90, 100]), 'mousedown', 1, ...moves([99, 100]), 'mouseup', 1, ...moves([110, 100])],
  ['mouseup', 3, ...moves([120, 110])],
  held(['alt'], ['mousedown', 3, ...moves([130, 140]), 'mouseup', 3, ...moves([140, 150])]),
].flat();

for (const [encodingName, encoding] of Object.entries(ENCODINGS)) {
  describe(`encoded as ${encodingName}`, () => {
    for (const [protocolName, protocol] of Object.entries(PROTOCOLS)) {
      const modes = [protocol, ...(encoding === undefined ? [] : [encoding])];

      test(`${protocolName}: buttons and motions, alone and with modifiers, are reported as xterm reports them`, async () => {
        const clicks = await compare(modes, CLICKS);
        expect(clicks.split('\x1b[').length).toBeGreaterThan(7);
        await compare(modes, DRAGS);
      });
    }
  });
}

describe('by the usual translations', () => {
  for (const [name, protocol] of Object.entries(PROTOCOLS)) {
    test(`${name}: buttons and motions are reported as xterm reports them`, async () => {
      const modes = [protocol, ENCODINGS.SGR];
      expect((await compare(modes, CLICKS, usual)).split('\x1b[').length).toBeGreaterThan(7);
      await compare(modes, DRAGS, usual);
    });
  }
});

describe('highlight tracking', () => {
  /** Text on the third to the fifth row, and where a drag begins, and ends, and what the program answers in between. */
  const TEXT = '\x1b[2J\x1b[3;1Hsome words on a row\r\nand on the next\r\nshort';
  const drags = [
    ['to a later row', [20, 30], '\x1b[1;4;3;1;20T', [50, 45]],
    ['backwards', [50, 45], '\x1b[1;9;4;1;20T', [20, 30]],
    ['behind the end of a row', [20, 30], '\x1b[1;4;3;1;20T', [200, 56]],
    ['out of the rows', [20, 30], '\x1b[1;4;3;2;5T', [50, 200]],
    ['refused', [20, 30], '\x1b[0T', [50, 45]],
  ] as const;

  async function drag(terminal: ReportingTerminal, encoding: string, [, from, answer, to]: (typeof drags)[number]) {
    await desktop.run('xdotool', 'windowraise', `${terminal.window}`, 'windowfocus', '--sync', `${terminal.window}`);
    await terminal.write(`${TEXT}\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1001h${encoding}`);
    const press = await terminal.untilReport('mousemove', ...from, 'mousedown', 1);
    await terminal.write(answer);
    return press + (await terminal.reports('mousemove', ...to, 'mouseup', 1));
  }

  for (const encoding of ['', '\x1b[?1005h', '\x1b[?1006h', '\x1b[?1015h', '\x1b[?1016h']) {
    test(`encoded by ${JSON.stringify(encoding)}: a drag is reported as xterm reports it`, async () => {
      for (const each of drags) {
        const seen = await drag(ours, encoding, each);
        expect(seen, each[0]).toBe(await drag(reference, encoding, each));
      }
    });
  }
});

test('the mouse reports only by a protocol', async () => {
  expect(await compare([1006], DRAGS)).toBe('');
});

/** Raises one of the terminals, requests reports and returns them. */
async function reportsOf(terminal: ReportingTerminal, modes: readonly number[], steps: readonly (string | number)[]) {
  await desktop.run('xdotool', 'windowraise', `${terminal.window}`, 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'mousemove', '60', '40');
  const set = modes.map((mode) => `\x1b[?${mode}h`).join('');
  await terminal.write(`\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l${set}`);
  return terminal.reports(...steps);
}

async function compare(
  modes: readonly number[],
  steps: readonly (string | number)[],
  terminal = ours,
): Promise<string> {
  const seen = await reportsOf(terminal, modes, steps);
  expect(seen).toBe(await reportsOf(reference, modes, steps));
  return seen;
}
