import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { startWrittenTerminal } from '../../harness/written-terminal.ts';
import { boundsOf } from './pixels.ts';

/** A cell of `fixed`, and the window's border. */
const CELL_HEIGHT = 13;
const BORDER = 2;

/** Each prompt has a colour of its own; the first is 0x000001. */
const prompt = (number: number): string => `\x1b]133;A\x07\x1b[48;2;0;0;${number}m        \x1b[m$ \x1b]133;B\x07\r\n`;
const output = (lines: number): string => 'output\r\n'.repeat(lines);

test('Control and Shift with Up goes from prompt to prompt, and with Down back to the newest text', async () => {
  verifies(
    'termprog.action.previous-prompt',
    'termprog.action.next-prompt',
    'termprog.translation.Ctrl-Shift-KeyPress-Up',
    'termprog.translation.Ctrl-Shift-KeyPress-Down',
  );
  const text = `${prompt(1)}${output(30)}${prompt(2)}${prompt(3)}${output(40)}${prompt(4)}${output(3)}${prompt(5)}`;
  await using shown = await start(text);
  const { seesAt, key } = shown;
  await seesAt(4, 18);

  await key('ctrl+shift+Up');
  await seesAt(3, 0);
  await key('ctrl+shift+Up');
  await seesAt(2, 0);
  await key('ctrl+shift+Up', 'ctrl+shift+Up');
  await seesAt(1, 0);
  await key('ctrl+shift+Down', 'ctrl+shift+Down');
  await seesAt(3, 0);
  await key('ctrl+shift+Down');

  // It and what follows are on the screen, which can't show more.
  await seesAt(4, 18);
});

test('a count goes further at once, and an invalid one only rings the bell', async () => {
  verifies('termprog.action.previous-prompt', 'termprog.action.next-prompt');
  const bindings = ['previous-prompt(3)', 'next-prompt(2)', 'previous-prompt(0)', 'next-prompt(some)']
    .map((action, index) => `<Key>F${index + 5}: ${action}`)
    .join(' \\n ');
  const text = [1, 2, 3, 4, 5].map((number) => prompt(number) + output(30)).join('');
  await using shown = await start(text, ['-xrm', `*vt100.translations: #override \\n ${bindings}`]);
  const { seesAt, key } = shown;

  await key('F5');
  await seesAt(3, 0);
  await key('F7', 'F8');
  await key('F6');
  await seesAt(5, 0);
});

test('prompts are found after another size, and none on the alternate screen', async () => {
  verifies('termprog.action.previous-prompt');
  await using shown = await start(`${prompt(1)}${'long '.repeat(60)}\r\n${output(40)}`);
  const { seesAt, key, terminal, write } = shown;
  await desktop.run('xdotool', 'windowsize', '--sync', `${terminal.window}`, '184', '160');

  await key('ctrl+shift+Up');
  await seesAt(1, 0);
  await write('\x1b[?1049h');
  await key('ctrl+shift+Up', 'ctrl+shift+Up');
  await write('here');
  expect(await seesAt(1, undefined)).toBe(true);
});

async function start(text: string, args: readonly string[] = []) {
  const written = await startWrittenTerminal(desktop, { args: ['-fg', 'gray50', ...args] });
  const { terminal } = written;
  await written.write(text);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  const rowOf = async (number: number): Promise<number | undefined> => {
    const bounds = boundsOf(await terminal.screenshot(), number);
    return bounds && Math.floor((bounds.y - BORDER) / CELL_HEIGHT);
  };
  return {
    ...written,
    /** Waits until a prompt is in a row of the view. */
    seesAt: (number: number, row: number | undefined) =>
      waitFor(`prompt ${number} is in row ${row}`, async () => (await rowOf(number)) === row),
    key: (...keys: string[]) => desktop.run('xdotool', 'key', ...keys),
    [Symbol.asyncDispose]: () => written[Symbol.asyncDispose](),
  };
}
