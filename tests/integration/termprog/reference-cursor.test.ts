import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog, startXDesktop, startXterm, type XDesktop } from '../../harness/start-termprog.ts';
import { compareInk } from './pixels.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** What `printf %b` prints; the cursor goes back to the first cell. */
const cells: Record<string, string> = {
  'plain text': 'abc',
  'coloured text': '\\033[31mabc\\033[m',
  'coloured cells': '\\033[33;44mabc\\033[m',
  'a cell of the colour of the cursor': '\\033[101mabc\\033[m',
  'reversed text': '\\033[7mabc\\033[m',
  'reversed coloured text': '\\033[31;7mabc\\033[m',
  'underlined text': '\\033[4mabc\\033[m',
  'hidden text': '\\033[8mabc\\033[m',
  'a blank': '   ',
};

/** A wide character is left out of lines: they lie under all of it, and in xterm under its first half. */
const scenes: [name: string, args: string[], text: string][] = Object.entries(cells).flatMap(([what, text]) =>
  [['-ah'], ['-ah', '-cr', 'red'], ['-ah', '-uc', '-cr', 'red'], ['-barc'], ['-ah', '-rv']].map(
    (args): [string, string[], string] => [`"${args.join(' ')}" over ${what}`, args, text],
  ),
);
scenes.push(
  ['"-ah" over a wide character', ['-ah'], '漢字'],
  ['"-ah" in the last column, behind which a wrap is pending', ['-ah'], '\\033[1;80Hx\\033[99C'],
  ['"-uc" in a large font', ['-uc', '-fn', '12x24'], 'abc'],
  ['"-barc" in a large font', ['-barc', '-fn', '12x24'], 'abc'],
);

for (const [name, args, text] of scenes) {
  test(`a cursor with ${name} has the pixels of the reference terminal`, async () => {
    const back = text.includes('99C') ? '' : '\\r';
    const options = { args: ['-geometry', '80x2', ...args], script: `printf '%b' '${text}${back}'; sleep 60` };
    await using ours = await startTermprog(desktop, options);
    await using theirs = await startXterm(desktop, options);

    await waitFor('both windows show the same', async () => {
      const { inked, equal } = compareInk(await ours.screenshot(), await theirs.screenshot());
      return inked > 0 && inked === equal;
    });

    expect(ours.process.output()).toBe('');
  });
}
