import { test } from '../../harness/fixtures/desktop.ts';
import { becomeEqual, startBoth } from './beside-xterm.ts';

/** Text with margins and insert mode on, in the middle of the row; then another row to wait for. */
const BEFORE = '\\033[?25l\\033[2;1H12345678 and so on\\033[?69h\\033[4h\\033[3;9s\\033[2;1H';
const AFTER = '\\033[4l\\033[?69l\\033[5;1Hthe text of another row, to the end';
const NOTHING = '\\033[?9999l';

for (const [how, text] of [
  ['in one piece', 'abcdef'],
  ['byte by byte', [...'abcdef'].join(NOTHING)],
] as const) {
  test(`text that is inserted over a margin ${how} is where the reference terminal inserts single characters`, async ({
    desktop,
  }) => {
    // xterm decides for a run of text by its first character, so it gets single ones.
    const split = [...'abcdef'].join(NOTHING);
    const script = `case $XTERM_VERSION in '') printf '${BEFORE}${text}${AFTER}';; *) printf '${BEFORE}${split}${AFTER}';; esac; sleep 600`;
    await using pair = await startBoth(desktop, ['-xrm', '*decTerminalID: 420'], script);
    await becomeEqual(pair);
  });
}

test('ED 22 brings the text of the screen into the history, where the wheel finds it', async ({ desktop }) => {
  const text = Array.from({ length: 12 }, (_, row) => `row ${row} of the screen`).join('\\r\\n');
  // The reference terminal shows the same text as it was written.
  const script = `printf '\\033[?25l${text}'; case $XTERM_VERSION in '') printf '\\033[22J';; esac; sleep 600`;
  await using pair = await startBoth(desktop, [], script);
  await desktop.run('xdotool', 'mousemove', '60', '60', 'click', '--repeat', '4', '4', 'mousemove', '900', '700');
  await becomeEqual(pair);
});
