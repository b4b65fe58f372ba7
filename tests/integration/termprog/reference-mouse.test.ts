import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReportingTerminal, startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog, startXDesktop, startXterm, type XDesktop } from '../../harness/start-termprog.ts';

/** Same events, same bytes: the reports of the reference terminal are the right ones. */

/** Nothing but reports: what a button does otherwise is not the matter here. */
const REPORT_ALL =
  '*translations: #override\\n<BtnDown>: mouse-press()\\n<BtnUp>: mouse-press()\\n<BtnMotion>: mouse-motion()';

let desktop: XDesktop;
let ours: ReportingTerminal;
let reference: ReportingTerminal;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  desktop = parts.use(await startXDesktop());
  ours = parts.use(await startReportingTerminal(desktop, startTermprog, { args: ['-xrm', REPORT_ALL] }));
  reference = parts.use(await startReportingTerminal(desktop, startXterm));
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

/** Those that a server without a mouse has. A turn of the wheel is told when it begins by us, and by xterm when it ends. */
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

/** Within a cell, into others, with one button and with two, and without. */
const DRAGS = [
  ['mousemove', 62, 41, 'mousemove', 63, 42, 'mousemove', 68, 42, 'mousemove', 68, 54],
  ['mousedown', 1, 'mousemove', 69, 55, 'mousemove', 80, 55, 'mousemove', 80, 100, 'mouseup', 1],
  ['mousedown', 3, 'mousemove', 90, 100, 'mousedown', 1, 'mousemove', 99, 100, 'mouseup', 1, 'mousemove', 110, 100],
  ['mouseup', 3, 'mousemove', 120, 110],
  held(['alt'], ['mousedown', 3, 'mousemove', 130, 140, 'mouseup', 3, 'mousemove', 140, 150]),
].flat();

/** Raises one of the terminals, asks for reports and gives them. */
async function reportsOf(terminal: ReportingTerminal, modes: readonly number[], steps: readonly (string | number)[]) {
  await desktop.run('xdotool', 'windowraise', `${terminal.window}`, 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'mousemove', '60', '40');
  const set = modes.map((mode) => `\x1b[?${mode}h`).join('');
  await terminal.write(`\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l${set}`);
  return terminal.reports(...steps);
}

async function compare(modes: readonly number[], steps: readonly (string | number)[]): Promise<string> {
  const seen = await reportsOf(ours, modes, steps);
  expect(seen).toBe(await reportsOf(reference, modes, steps));
  return seen;
}

for (const [encodingName, encoding] of Object.entries(ENCODINGS)) {
  describe(`encoded as ${encodingName}`, () => {
    for (const [protocolName, protocol] of Object.entries(PROTOCOLS)) {
      const modes = [protocol, ...(encoding === undefined ? [] : [encoding])];

      test(`${protocolName}: buttons and motions, alone and with modifiers, are told as xterm tells them`, async () => {
        const clicks = await compare(modes, CLICKS);
        expect(clicks.split('\x1b[').length).toBeGreaterThan(7);
        await compare(modes, DRAGS);
      });
    }
  });
}

test('without a protocol nothing is told', async () => {
  expect(await compare([1006], DRAGS)).toBe('');
});
