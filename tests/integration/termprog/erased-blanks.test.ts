import { expect, onTestFinished } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { pointerOver } from '../../harness/pointer.ts';
import { ATOMS } from '../../harness/selection-peer.ts';
import { becomeEqual, startBoth } from './beside-xterm.ts';

/** The rest of a row is erased in a colour: behind text, before and behind it, and in a row without text. */
const TEXT =
  '\\033[?25l\\033[44mtitle\\033[K\\033[m\\r\\n\\033[41m\\033[5X\\033[5Cindented\\033[K\\033[m\\r\\n\\033[42m\\033[2K\\033[m\\r\\nplain text\\r\\nthe last row\\r\\n';
const SCRIPT = `printf '${TEXT}'; sleep 600`;

test('blanks that a program erased in a colour are copied as in the reference terminal: none behind text, spaces before it', async ({
  desktop,
  peer,
  atoms: { utf8String },
}) => {
  const pair = await startBoth(desktop, [], SCRIPT);
  onTestFinished(() => pair[Symbol.asyncDispose]());
  await becomeEqual(pair);
  const copied: (string | undefined)[] = [];
  for (const { window } of [pair.ours, pair.theirs]) {
    await peer.own(ATOMS.PRIMARY, () => undefined);
    await pointerOver(desktop, { window }).drag([0, 0], [30, 4]);
    copied.push(
      await waitFor('the text is published', async () => {
        const owner = await peer.ownerOf(ATOMS.PRIMARY);
        if (owner === 0 || owner === peer.window) return undefined;
        return (await peer.convert(ATOMS.PRIMARY, utf8String))?.data.toString();
      }),
    );
  }
  expect(copied).toEqual([copied[1], 'title\n     indented\n\nplain text\nthe last row\n']);
});

test('blanks that a program erased in a colour take no rows in a narrower window, which looks as the reference terminal’s', async ({
  desktop,
}) => {
  await using pair = await startBoth(desktop, [], SCRIPT);
  await becomeEqual(pair);
  for (const columns of [30, 20, 13]) {
    for (const { window } of [pair.ours, pair.theirs])
      await desktop.run('xdotool', 'windowsize', '--sync', `${window}`, `${4 + 6 * columns}`, `${4 + 13 * 12}`);
    await becomeEqual(pair);
  }
});
