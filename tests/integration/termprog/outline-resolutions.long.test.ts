import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { startTermprog, startXterm } from '../../harness/start-termprog.ts';
import { compareInk } from './pixels.ts';

/** Text that `printf %b` prints: regular, bold, italic, dim, other scripts, lines, and an outlined cursor. */
const TEXT = [
  'The quick brown fox {[(0123456789)]} \\033[1mbold\\033[m \\033[3mitalic\\033[m \\033[2;31mdim\\033[m',
  'àéîõü Съешь ещё Ξεσκεπάζω 漢字 かな \\033[4munder\\033[m \\033[9mstruck\\033[m',
  '┌──┬──┐ \\033[44;33mcolours\\033[m \\033[7mreverse\\033[m',
].join('\\r\\n');

/**
 * Resolution in the screen's resource; the last one is a value that real screens have, with other pixel sizes when it
 * is rounded.
 */
test.each(['96', '99.887'])('at %s dots per inch every pixel is as xterm draws it, small and large', async (dpi) => {
  await desktop.run('sh', '-c', 'printf "Xft.dpi: %s\\n" "$1" | xrdb -nocpp -merge', 'sh', dpi);
  for (const points of ['8', '14']) {
    const args = ['-fa', 'DejaVu Sans Mono', '-fs', points];
    const script = `printf %b '${TEXT}'; sleep 60`;
    await using ours = await startTermprog(desktop, { script, args: [...args, '-geometry', '70x4+0+0'] });
    await using theirs = await startXterm(desktop, { script, args: [...args, '-geometry', '70x4+0+300'] });

    await waitFor(`both show the same with ${points} points`, async () => {
      const { inked, equal } = compareInk(await ours.screenshot(), await theirs.screenshot());
      return inked > 2000 && inked === equal;
    });
    expect(ours.process.output()).toBe('');
  }
});
