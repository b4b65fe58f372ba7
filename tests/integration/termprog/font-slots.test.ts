import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import {
  type StartedTerminal,
  startTermprog,
  startXDesktop,
  startXterm,
  type XDesktop,
} from '../../harness/start-termprog.ts';
import { compareInk } from './pixels.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** The reference terminal sometimes never draws its hollow cursor. */
const HIDE_CURSOR = '\\033[?25l';

async function sizeOf({ window }: StartedTerminal): Promise<string> {
  const text = await desktop.run('xdotool', 'getwindowgeometry', '--shell', `${window}`);
  return `${/^WIDTH=(\d+)$/m.exec(text)?.[1]}x${/^HEIGHT=(\d+)$/m.exec(text)?.[1]}`;
}

async function press({ window }: StartedTerminal, ...keys: string[]): Promise<void> {
  await desktop.run('xdotool', 'windowfocus', '--sync', `${window}`);
  await desktop.run('xdotool', 'key', '--clearmodifiers', ...keys);
}

/** Presses a key and gives the size that the window has then. */
async function sizeAfter(terminal: StartedTerminal, key: string): Promise<string> {
  const before = await sizeOf(terminal);
  await press(terminal, key);
  return waitFor(`${key} changes the size ${before}`, async () => {
    const size = await sizeOf(terminal);
    return size === before ? undefined : size;
  });
}

/** What the reference terminal's application defaults name; ours are the same without them. */
const FONTS = ['nil2', '5x7', '6x10', '7x13', '9x15', '10x20', '12x24'].flatMap((font, index) => [
  '-xrm',
  `*font${index + 1}: ${font}`,
]);

const SMALLER = ['shift+KP_Subtract', 'shift+KP_Subtract', 'ctrl+shift+KP_Add'];
const LARGER = Array.from({ length: 7 }, () => 'shift+KP_Add');

test('Shift with the keypad’s plus and minus steps through the entries by size, as in xterm', async () => {
  verifies(
    'termprog.translation.Shift-not-Ctrl-KeyPress-KP-Add',
    'termprog.translation.Shift-Ctrl-KeyPress-KP-Add',
    'termprog.translation.Shift-KeyPress-KP-Subtract',
    'termprog.action.larger-vt-font',
  );
  const script = 'sleep 60';
  await using reference = await startXterm(desktop, { script, args: [...FONTS, '-geometry', '+600+0'] });
  await using terminal = await startTermprog(desktop, { script });
  const sizes: string[] = [];
  const expected: string[] = [];

  for (const key of [...SMALLER, ...LARGER]) {
    sizes.push(await sizeAfter(terminal, key));
    expected.push(await sizeAfter(reference, key));
  }

  expect(sizes).toEqual(expected);
  console.log(sizes.join(' '));
});

const SCENE = [
  'plain text: The quick brown fox {[(0123456789)]} ~!@#$',
  'àéîõü ÄÖÜß ¿¡ ©®±µ¶·¸¹º»¼½¾ þÿ',
  '\\033[1mbold\\033[m \\033[4munder\\033[m \\033[7mreverse\\033[m \\033[1;4;7mall\\033[m \\033[9mstruck\\033[m',
  '\\033[31mred\\033[42m on green\\033[m \\033[1;34mbold blue\\033[m',
].join('\\r\\n');

/** With these the server has a font for wide characters; with others the reference terminal draws none, or a wrong one. */
const WIDE_SCENE = `${SCENE}\\r\\n漢字 かな \\033[1m漢字\\033[m \\033[1;4;31m色\\033[m`;

for (const [entry, { font, scene }] of Object.entries({
  Default: { font: 'fixed', scene: WIDE_SCENE },
  Unreadable: { font: 'nil2', scene: SCENE },
  Tiny: { font: '5x7', scene: SCENE },
  Small: { font: '6x10', scene: SCENE },
  Medium: { font: '7x13', scene: WIDE_SCENE },
  Large: { font: '9x15', scene: WIDE_SCENE },
  Huge: { font: '10x20', scene: SCENE },
  Enormous: { font: '12x24', scene: SCENE },
})) {
  test(`the entry ${entry}: every inked pixel is the one xterm draws`, async () => {
    const script = `printf %b '${scene}${HIDE_CURSOR}'; sleep 60`;
    const args = ['-fn', font];
    await using reference = await startXterm(desktop, { script, args: [...args, '-geometry', '56x8+0+500'] });
    await using terminal = await startTermprog(desktop, { script, args: [...args, '-geometry', '56x8'] });

    const compared = await waitFor('both terminals show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await reference.screenshot());
      return ink.inked > 60 && ink.equal === ink.inked ? ink : undefined;
    });

    expect(compared.equal).toBe(compared.inked);
  });
}
