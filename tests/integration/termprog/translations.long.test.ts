import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type BoundTerminal, startBoundTerminal } from '../../harness/bound-terminal.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';
import { countColor } from './pixels.ts';

const startBound = (
  lines: readonly string[],
  { args = [], on = desktop }: { args?: readonly string[]; on?: XDesktop } = {},
): Promise<BoundTerminal> => startBoundTerminal(on, lines, args);

test('a key bound to insert-seven-bit goes to the application as unbound ones do', async () => {
  verifies('termprog.action.insert-seven-bit');
  await using terminal = await startBound(['#override', '<Key>F6: insert-seven-bit() insert-seven-bit()']);

  expect(await terminal.typed('key', 'F6', 'F7', 'ctrl+F6')).toBe('\x1b[17~\x1b[17~\x1b[18~\x1b[17;5~\x1b[17;5~');
});

test('a key bound to insert-eight-bit goes to the application by the modes of the keyboard, too', async () => {
  verifies('termprog.action.insert-eight-bit');
  await using terminal = await startBound([
    '#override',
    'Meta <Key>F6: insert-eight-bit()',
    'Meta <Key>e: insert-eight-bit()',
  ]);

  expect(await terminal.typed('key', 'alt+F6', 'alt+e', 'alt+f')).toBe('\x1b[17;3~\x1be\x1bf');
});

test('keys that a table in place of the built-in one does not bind go to the application', async () => {
  for (const table of [['#replace'], [''], ['#replace', '<Key>F6:'], ['<Key>F6:']]) {
    await using terminal = await startBound(table);

    const bytes = await terminal.typed('key', 'F6', 'a', 'shift+Prior', 'shift+Insert');

    const isBound = table.some((line) => line.includes('F6'));
    // An empty resource is an empty table.
    expect(bytes).toBe(`${isBound ? '' : '\x1b[17~'}a\x1b[5;2~\x1b[2;2~`);
  }
});

test('a line takes the keys whose modifiers it names, and lets others pass', async () => {
  await using terminal = await startBound([
    '#override',
    '!Ctrl <Key>a:',
    'Meta <Key>b:',
    ':<Key>C:',
    '~Shift <Key>d:',
    '@Num_Lock <Key>e:',
    'Lock <Key>g:',
    'Super ~Ctrl <Key>h:',
    '<Ctrl>i:',
    '<Key>0x6a:',
    '<Key>KP_Home:',
    '<Key>\\\\,:',
  ]);
  const typed = (...keys: string[]): Promise<string> => terminal.typed('key', ...keys);

  expect(await typed('ctrl+a', 'a', 'ctrl+shift+a', 'ctrl+alt+a')).toBe('a\x01\x1b\x01');
  expect(await typed('alt+b', 'b', 'shift+b')).toBe('bB');
  expect(await typed('c', 'shift+c', 'ctrl+c')).toBe('c\x03');
  expect(await typed('d', 'shift+d', 'ctrl+d')).toBe('D');
  expect(await typed('super+h', 'h')).toBe('h');
  expect(await typed('i', 'ctrl+i', 'j', 'k', 'KP_Home', 'comma')).toBe('ik');
  expect(await typed('e', 'Num_Lock', 'e', 'Num_Lock', 'e')).toBe('ee');
  expect(await typed('g', 'Caps_Lock', 'g', 'Caps_Lock', 'g')).toBe('gg');
});

test('Alt and Meta stay bound when the keyboard moves them to other modifiers', async () => {
  await using own = await startXDesktop();
  await using terminal = await startBound(['#override', 'Alt <Key>b:', 'Mod1 <Key>c:'], { on: own });
  expect(await terminal.typed('key', 'alt+b', 'alt+c', 'b')).toBe('b');

  await own.run('xmodmap', '-e', 'clear mod1', '-e', 'clear mod3', '-e', 'add mod3 = Alt_L');

  expect(await terminal.typed('key', 'alt+b', 'alt+c', 'b')).toBe('\x1bcb');
});

test('bindings follow the layout of the keyboard', async () => {
  await using own = await startXDesktop();
  await own.run('setxkbmap', '-layout', 'de');
  await using german = await startBound(['#override', 'Ctrl <Key>y:', '<Key>udiaeresis:'], { on: own });
  // The key right of the left Shift, which has the y there.
  expect(await german.typed('key', 'ctrl+52', '52', '34', '35')).toBe('y+');
});

/** State bits of Control and of the second group; X11 protocol and its keyboard extension. */
const CONTROL = 4;
const SECOND_GROUP = 1 << 13;
const KEY_PRESS = 2;

test('a Latin letter stays bound while the keyboard is in a Cyrillic group, as a Cyrillic one is', async () => {
  await using own = await startXDesktop();
  await own.run('setxkbmap', '-layout', 'us,ru');
  await using terminal = await startBound(['#override', 'Ctrl <Key>f:', '<Key>Cyrillic_shorti:'], { on: own });
  await using connection = await openTestConnection(own);
  // xdotool(1) leaves the group for each key.
  const press = (keycode: number, state: number): void => {
    const event = Buffer.alloc(32);
    event.writeUInt8(KEY_PRESS, 0);
    event.writeUInt8(keycode, 1);
    event.writeUInt32LE(terminal.window, 12);
    event.writeUInt16LE(state, 28);
    connection.x.client.SendEvent(terminal.window, 0, 0, event);
  };
  press(41, CONTROL | SECOND_GROUP);
  press(24, SECOND_GROUP);
  press(38, SECOND_GROUP);
  press(24, 0);
  await connection.x.client.sync();

  expect(await terminal.typed('sleep', '0')).toBe('фq');
});

test('a count runs its actions when the presses come within multiClickTime', async () => {
  const lines = ['#override', '<Key>(2)F6: insert-seven-bit()'];
  const slow = ['key', 'F6', 'sleep', '2.5', 'key', 'F6'];
  await using terminal = await startBound(lines, { args: ['-mc', '2000'] });
  expect(await terminal.typed('key', 'F6', 'F6')).toBe('\x1b[17~');
  expect(await terminal.typed('key', 'F6')).toBe('');
  expect(await terminal.typed(...slow)).toBe('');
  await using patient = await startBound(lines, { args: ['-mc', '60000'] });
  expect(await patient.typed(...slow)).toBe('\x1b[17~');
});

test('an open count runs its actions at each further press', async () => {
  await using terminal = await startBound(['#override', '<Key>(2+)F6: insert-seven-bit()'], { args: ['-mc', '5000'] });

  expect(await terminal.typed('key', 'F6', 'F6', 'F6', 'F6')).toBe('\x1b[17~'.repeat(3));
});

test('releases, crossings, focus, motion and properties are events to bind, too', async () => {
  await using terminal = await startBound([
    '#override',
    '<KeyUp>F6: saw-release()',
    '<EnterWindow>: saw-enter()',
    '<LeaveWindow>: saw-leave()',
    '<FocusIn>: saw-focus()',
    '<FocusOut>Normal: saw-loss()',
    '<Map>: saw-map()',
    '<Prop>WM_NAME: saw-name()',
    '<PtrMoved>: saw-motion()',
    '<Mapping>Pointer: saw-mapping()',
  ]);
  const sees = (what: string): Promise<boolean> =>
    waitFor(`${what} is seen`, () => terminal.output().includes(`there is no action saw-${what}()`));

  await sees('map');
  await desktop.run('xdotool', 'mousemove', '900', '700', 'mousemove', '50', '50', 'mousemove', '60', '60');
  await sees('enter');
  await sees('motion');
  await desktop.run('xdotool', 'mousemove', '900', '700');
  await sees('leave');
  await sees('focus');
  expect(terminal.output()).not.toContain('saw-release');
  await desktop.run('xdotool', 'key', 'F6');
  await sees('release');
  await desktop.run('xmodmap', '-e', 'pointer = 1 2 3 4 5 6 7 8 9 10');
  const windows = await desktop.run('xdotool', 'search', '--name', 'terminal');
  for (const window of windows.trim().split('\n'))
    await desktop.run('xdotool', 'set_window', '--name', 'other', window);
  await sees('name');
  await using other = await startBound(['#override']);
  await sees('loss');
  expect(other.output()).toBe('');
});

test('an action with parameters in quotes over two lines is read, and faults are reported with their places', async () => {
  await using terminal = await startBound([
    '#override',
    'Sift <Key>F6: x()',
    '<Key>F6: scroll-back("1\\n", page',
    '<Key>F7: no-such-action("(a), b")',
    '<Key>NoKey: x()',
  ]);

  await terminal.typed('key', 'F7');

  expect(terminal.output().split('\n')).toEqual([
    'termprog: warning: resource vt100.translations: line 2, column 1: expected a modifier, found "Sift"; the line is left out',
    'termprog: warning: resource vt100.translations: line 4, column 8: expected ")", found the end of the line; the line is left out',
    'termprog: warning: resource vt100.translations: line 6, column 6: expected a key, found "NoKey"; the line is left out',
    'termprog: warning: translations: there is no action no-such-action()',
    '',
  ]);
});

test('the wheel and the keys of the built-in table do the same with Caps Lock and Num Lock on', async () => {
  const red = 0xcd0000;
  await using terminal = await startTermprog(desktop, {
    script: "seq 1 200; printf '\\033[41mRED\\033[m'; sleep 60",
  });
  const isAtBottom = async (): Promise<boolean> => countColor(await terminal.screenshot(), red) > 50;
  await waitFor('the last line shows', isAtBottom);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '50', '50');
  const scroll = async (...commands: string[]): Promise<void> => {
    await desktop.run('xdotool', ...commands);
  };

  await scroll('key', 'Caps_Lock', 'Num_Lock');
  for (const [back, forth] of [
    [
      ['click', '4'],
      ['click', '5'],
    ],
    [
      ['keydown', 'ctrl', 'click', '4', 'keyup', 'ctrl'],
      ['keydown', 'ctrl', 'click', '5', 'keyup', 'ctrl'],
    ],
    [
      ['key', 'shift+Prior'],
      ['key', 'shift+Next'],
    ],
  ] as const) {
    await scroll(...back);
    await waitFor('older lines show', async () => !(await isAtBottom()));
    await scroll(...forth);
    await waitFor('the last line is back', isAtBottom);
  }
  await scroll('key', 'Caps_Lock', 'Num_Lock');
});
