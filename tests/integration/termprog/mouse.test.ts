import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { startCountingServer } from '../../harness/counting-x-server.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

const BUTTONS = '\x1b[?1000h\x1b[?1006h';
const DRAGS = '\x1b[?1002h\x1b[?1006h';
const MOTIONS = '\x1b[?1003h\x1b[?1006h';

/** Positions in the eleventh cell of the fourth row, and beside it. */
const PLACE = ['mousemove', 65, 45];
const BESIDE = ['mousemove', 71, 45];

/** Code of the event; X11 protocol, appendix B. */
const MOTION_NOTIFY = 6;

const RED = 0xcd0000;

test('the second button is reported to an application that asks for it, and to no other', async ({ desktop }) => {
  verifies('termprog.translation.without-Ctrl-Meta-Btn2Down', 'termprog.action.mouse-press');
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  expect(await terminal.reports(...PLACE, 'mousedown', 2)).toBe('');
  await desktop.run('xdotool', 'mouseup', '2');
  await terminal.write(BUTTONS);
  expect(await terminal.reports('mousedown', 2)).toBe('\x1b[<1;11;4M');
  await desktop.run('xdotool', 'mouseup', '2');
});

test('buttons without another binding are reported, with any modifiers', async ({ desktop }) => {
  verifies('termprog.translation.any-button-press');
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  await terminal.write(BUTTONS);
  expect(await terminal.reports(...PLACE, 'mousedown', 8)).toBe('\x1b[<128;11;4M');
  expect(await terminal.reports('mouseup', 8)).toBe('\x1b[<128;11;4m');
  expect(await terminal.reports('keydown', 'ctrl', 'mousedown', 6, 'keyup', 'ctrl')).toBe('\x1b[<82;11;4M');
  await desktop.run('xdotool', 'mouseup', '6');
});

test('a drag is reported from cell to cell', async ({ desktop }) => {
  verifies('termprog.translation.button-motion');
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  await terminal.write(DRAGS);
  expect(await terminal.reports(...PLACE, 'mousedown', 2, ...BESIDE)).toBe('\x1b[<1;11;4M\x1b[<33;12;4M');
  await desktop.run('xdotool', 'mouseup', '2');
});

test('a drag is reported where mouse-motion alone is bound to it', async ({ desktop }) => {
  verifies('termprog.action.mouse-motion');
  await using terminal = await startReportingTerminal(desktop, startTermprog, {
    args: ['-xrm', '*translations: #override <BtnMotion>: mouse-motion()'],
  });
  await terminal.write(DRAGS);
  expect(await terminal.reports(...PLACE, 'mousedown', 2, ...BESIDE)).toBe('\x1b[<1;11;4M\x1b[<33;12;4M');
  await desktop.run('xdotool', 'mouseup', '2');
});

test('Shift at the press keeps the whole drag from the application', async ({ desktop }) => {
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  await terminal.write(DRAGS);
  const told = await terminal.reports(...PLACE, 'keydown', 'shift', 'mousedown', 2, 'keyup', 'shift', ...BESIDE);
  expect(told).toBe('');
  await desktop.run('xdotool', 'mouseup', '2');
});

test('applications receive no reports of mouse and focus where resources forbid them', async ({ desktop }) => {
  verifies('termprog.resource.allowMouseOps');
  await using terminal = await startReportingTerminal(desktop, startTermprog, {
    args: ['-xrm', '*allowMouseOps: false'],
  });
  await terminal.write(`${MOTIONS}\x1b[?1004h`);
  expect(await terminal.reports(...PLACE, 'click', 2, 'click', 4, ...BESIDE)).toBe('');
  // The modes stay set.
  expect(await terminal.write('\x1b[?1003$p')).toBe('\x1b[?1003;1$y');
});

test('a turn of the wheel that an application receives does not scroll, unless Shift is held', async ({ desktop }) => {
  verifies('termprog.action.scroll-back');
  const script = "seq 1 200; printf '\\033[41mRED\\033[m\\033[?1000h\\033[?1006h'; stty raw -echo; sleep 60";
  await using terminal = await startTermprog(desktop, { args: ['-geometry', '80x24+0+0'], script });
  const red = async (): Promise<number> => countColor(await terminal.screenshot(), RED);
  await waitFor('the last line shows', async () => (await red()) > 100);
  await desktop.run('xdotool', 'mousemove', '65', '45', 'click', '4');
  // The effect of one turn of the wheel is complete before the next.
  await desktop.run('xdotool', 'keydown', 'shift', 'click', '4', 'keyup', 'shift');
  await waitFor('the view moves', async () => (await red()) === 0);
  await desktop.run('xdotool', 'keydown', 'shift', 'click', '5', 'keyup', 'shift');
  await waitFor('one turn brings it back', async () => (await red()) > 100);
});

test('the focus is reported when it comes and goes, and when the application first asks', async ({ desktop }) => {
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  expect(await terminal.write('\x1b[?1004h')).toBe('\x1b[I');
  expect(await terminal.write('\x1b[?1004h')).toBe('');
  const other = await startTermprog(desktop, { script: 'sleep 60' });
  await using _other = other;
  const lost = terminal.untilFocusReport();
  await desktop.run('xdotool', 'windowfocus', '--sync', `${other.window}`);
  expect(await lost).toBe('\x1b[O');
  expect(await terminal.write('\x1b[?1004l\x1b[?1004h')).toBe('\x1b[O');
  const found = terminal.untilFocusReport();
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  expect(await found).toBe('\x1b[I');
});

test('the loss of the focus is reported while the pointer stays over the window', async ({ desktop }) => {
  await desktop.run('xdotool', 'mousemove', '900', '700');
  await using terminal = await startReportingTerminal(desktop, startTermprog);
  await using other = await startTermprog(desktop, { args: ['-geometry', '10x5+700+500'], script: 'sleep 60' });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await terminal.write('\x1b[?1004h');
  // The pointer comes to the window when that has the focus already.
  await terminal.reports(...PLACE);

  const lost = terminal.untilFocusReport();
  await desktop.run('xdotool', 'windowfocus', '--sync', `${other.window}`);
  expect(await lost).toBe('\x1b[O');
});

test('the server reports motions only while an application wants them', async ({ desktop }) => {
  await using proxy = await startCountingServer(desktop.environment.DISPLAY);
  await using terminal = await startReportingTerminal(desktop, startTermprog, {
    environment: { DISPLAY: proxy.display },
  });
  const wander = [...PLACE, ...BESIDE, ...PLACE];
  expect(await terminal.reports(...wander)).toBe('');
  expect(proxy.events(MOTION_NOTIFY)).toBe(0);
  for (const modes of ['\x1b[?1000h', '\x1b[?1002h', `${MOTIONS}\x1b[?1003l`]) {
    await terminal.write(modes);
    expect(await terminal.reports(...wander)).toBe('');
  }
  expect(proxy.events(MOTION_NOTIFY)).toBe(0);

  await terminal.write(MOTIONS);
  await waitFor('the server tells motions', async () =>
    (await terminal.reports(...PLACE, ...BESIDE)).endsWith('\x1b[<35;12;4M'),
  );
  expect(proxy.events(MOTION_NOTIFY)).toBeGreaterThan(0);

  await terminal.write('\x1b[?1003l');
  // The terminal's requests, and the moves of another client, reach the server in any order.
  await waitFor('the server tells no more motions', async () => {
    const told = proxy.events(MOTION_NOTIFY);
    expect(await terminal.reports(...wander)).toBe('');
    return proxy.events(MOTION_NOTIFY) === told;
  });
});

test('the area that an application lets the mouse highlight is shown until the release', async ({ desktop }) => {
  await using terminal = await startReportingTerminal(desktop, startTermprog, {
    args: ['-xrm', '*translations: #override\\n<BtnDown>: mouse-press()\\n<BtnUp>: mouse-press()'],
  });
  const red = async (): Promise<number> => countColor(await terminal.screenshot(), RED);
  await terminal.write('\x1b[?25l\x1b[2J\x1b[4;1H\x1b[31m████████████████████\x1b[m\x1b[?1001h');
  await waitFor('the text shows', async () => (await red()) > 100);
  const before = await red();
  await terminal.untilReport('mousemove', 5, 45, 'mousedown', 1);
  await terminal.write('\x1b[1;1;4;1;20T');
  await desktop.run('xdotool', 'mousemove', '65', '45');
  await waitFor('ten cells of twenty have the other colour', async () => (await red()) === before / 2);
  expect(await terminal.reports('mouseup', 1)).toBe('\x1b[t+$');
  await waitFor('the text looks as before', async () => (await red()) === before);
});
