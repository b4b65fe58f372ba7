import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTermprog, startXterm } from '../../harness/start-termprog.ts';
import { compareInk } from './pixels.ts';

const PLAIN = 'abc';
const REVERSED = '\\033[7mabc\\033[m';
const REVERSED_RED = '\\033[31;7mabc\\033[m';
const ON_RED = '\\033[101mabc\\033[m';

/**
 * Over what the cursor stands, with which arguments, as `printf %b` prints it; the cursor goes back to the first cell.
 * A wide character is left out of lines and outlines: in xterm they belong to its first half. ours: decision 108
 */
const scenes: [over: string, args: string[], text: string][] = [
  ['plain text', ['-ah'], PLAIN],
  ['coloured text', ['-ah'], '\\033[31mabc\\033[m'],
  ['coloured cells', ['-ah'], '\\033[33;44mabc\\033[m'],
  ['reversed text', ['-ah'], REVERSED],
  ['reversed coloured text', ['-ah'], REVERSED_RED],
  ['underlined text', ['-ah'], '\\033[4mabc\\033[m'],
  ['hidden text', ['-ah'], '\\033[8mabc\\033[m'],
  ['a blank', ['-ah'], '   '],
  ['a wide character', ['-ah'], '漢字'],
  ['a cell in the last column, behind which a wrap is pending', ['-ah'], '\\033[1;80Hx\\033[99C'],
  ['plain text', ['-ah', '-cr', 'red'], PLAIN],
  ['reversed text', ['-ah', '-cr', 'red'], REVERSED],
  ['plain text', ['-ah', '-rv'], PLAIN],
  ['reversed coloured text', ['-ah', '-rv'], REVERSED_RED],
  ['plain text', ['-ah', '-uc', '-cr', 'red'], PLAIN],
  ['a cell of its own colour', ['-ah', '-uc', '-cr', 'red'], ON_RED],
  ['reversed text', ['-uc'], REVERSED],
  ['plain text', ['-barc'], PLAIN],
  ['a cell of its own colour', ['-barc', '-cr', 'red'], ON_RED],
  ['large text', ['-uc', '-fn', '12x24'], PLAIN],
  ['large text', ['-barc', '-fn', '12x24'], PLAIN],
];

for (const [over, args, text] of scenes) {
  test(`with "${args.join(' ')}" the cursor over ${over} has the pixels of the reference terminal`, async ({
    desktop,
  }) => {
    const back = text.includes('99C') ? '' : '\\r';
    const script = `printf '%b' '${text}${back}'; sleep 60`;
    await using ours = await startTermprog(desktop, { args: ['-geometry', '80x2+0+0', ...args], script });
    await using theirs = await startXterm(desktop, { args: ['-geometry', '80x2+0+300', ...args], script });

    await waitFor('both windows show the same', async () => {
      const { inked, equal } = compareInk(await ours.screenshot(), await theirs.screenshot());
      return inked > 0 && inked === equal;
    });

    expect(ours.process.output()).toBe('');
  });
}
