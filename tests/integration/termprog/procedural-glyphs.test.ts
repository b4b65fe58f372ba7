import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { compareInk } from './pixels.ts';

/** Characters that the face has, and that are forced to be drawn otherwise. */
const TEXT = '─┼┤╭╮◢◣▓▒⣿⠿';

/** Starts a terminal with an outline font. */
const open = (...args: string[]): Promise<StartedTerminal> =>
  startTermprog(desktop, {
    script: `printf '${TEXT}\\033[?25l'; sleep 60`,
    args: ['-fa', 'DejaVu Sans Mono', '-fs', '14', '-geometry', '30x4+0+0', ...args],
  });

type Compared = 'equal' | 'different';

/** Waits until both show ink, and as much the same as is said. */
const compared = (one: StartedTerminal, other: StartedTerminal, expected: Compared): Promise<unknown> =>
  waitFor(`the pictures are ${expected}`, async () => {
    const { inked, equal } = compareInk(await one.screenshot(), await other.screenshot());
    return inked > 500 && (expected === 'equal') === (equal === inked);
  });

test('forceBoxChars draws the glyphs of an outline font from the geometry of the cell', async () => {
  verifies('termprog.resource.forceBoxChars', 'termprog.option.fbx');
  await using byFont = await open('-fbx', '-geometry', '30x4+0+0');
  await using forced = await open('+fbx', '-geometry', '30x4+0+200');
  await using resource = await open('-xrm', '*forceBoxChars: true', '-geometry', '30x4+0+400');
  await compared(byFont, forced, 'different');
  await compared(forced, resource, 'equal');
});

test('set-font-linedrawing changes what is shown already', async () => {
  verifies('termprog.action.set-font-linedrawing');
  await using byFont = await open('-geometry', '30x4+0+200');
  await using changed = await open(
    '-xrm',
    '*translations: #override <Key>F5: set-font-linedrawing()\\n<Key>F6: set-font-linedrawing(OFF)',
  );
  await compared(byFont, changed, 'equal');
  await desktop.run('xdotool', 'windowfocus', '--sync', `${changed.window}`);
  await desktop.run('xdotool', 'key', 'F5');
  await compared(byFont, changed, 'different');
  await desktop.run('xdotool', 'key', 'F6');
  await compared(byFont, changed, 'equal');
});
