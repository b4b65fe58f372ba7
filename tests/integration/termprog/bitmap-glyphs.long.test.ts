import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { type StartedTerminal, startTermprog, startXterm } from '../../harness/start-termprog.ts';
import { compareInk } from './pixels.ts';

const HIDE_CURSOR = '\\033[?25l';

async function sameInk(one: StartedTerminal, other: StartedTerminal): Promise<void> {
  const compared = await waitFor('both terminals show the same', async () => {
    const ink = compareInk(await one.screenshot(), await other.screenshot());
    return ink.inked > 60 && ink.equal === ink.inked ? ink : undefined;
  });
  expect(compared.equal).toBe(compared.inked);
}

/** Has more characters than its bold form, and is a font of Unicode itself: no other form of it has them. */
const UNICODE_FONT = '-misc-fixed-medium-r-normal--15-140-75-75-c-90-iso10646-1';

for (const [what, text] of Object.entries({
  'a bold character that only the light font has is drawn twice': '\\033[1mʣ ʤ ჱ ⌘ ♞ ⅓ ↯ ☎',
  'combining marks come from a font of Unicode itself': 'x\u0301 q\u0308 x\u20d7 ab',
})) {
  test(`${what}, as in xterm`, async ({ desktop }) => {
    const script = `printf %b '${text}${HIDE_CURSOR}'; sleep 60`;
    const args = ['-fn', UNICODE_FONT, '-geometry'];
    await using reference = await startXterm(desktop, { script, args: [...args, '40x4+0+500'] });
    await using terminal = await startTermprog(desktop, { script, args: [...args, '40x4'] });

    await sameInk(terminal, reference);
  });
}

test('combining marks come from the Unicode form of a font that lacks them', async ({ desktop }) => {
  const script = `printf %b 'q\u0301 x\u20d7 ab\\r\\nq x ab${HIDE_CURSOR}'; sleep 60`;
  const unicode = '-misc-fixed-medium-r-semicondensed--13-120-75-75-c-60-iso10646-1';
  await using other = await startTermprog(desktop, { script, args: ['-fn', unicode, '-geometry', '40x4+0+500'] });
  await using terminal = await startTermprog(desktop, { script, args: ['-fn', 'fixed', '-geometry', '40x4'] });

  await waitFor('the first line has more ink than the second', async () => {
    const { data, width } = await terminal.screenshot();
    const inkOf = (row: number): number => {
      const pixels = data.subarray((2 + 13 * row) * width * 4, (2 + 13 * (row + 1)) * width * 4);
      return pixels.filter((byte, at) => at % 4 === 0 && byte === 0).length;
    };
    return inkOf(1) > 20 && inkOf(0) > inkOf(1);
  });
  await sameInk(terminal, other);
});
