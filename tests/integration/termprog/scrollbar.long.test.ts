import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startCompositor } from '../../harness/start-compositor.ts';
import { contentOf, type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { becomeEqual, SCROLLBAR_WIDTH, startBoth, TEXT_WIDTH } from './beside-xterm.ts';
import { countColor } from './pixels.ts';

test('without it there is none', async ({ desktop }) => {
  verifies('termprog.resource.scrollBar', 'termprog.option.sb');
  await using both = await startBoth(desktop, ['-xrm', '*scrollBar: true', '+sb']);
  await becomeEqual(both);
  expect((await both.ours.screenshot()).width).toBe(TEXT_WIDTH);
});

test('rightScrollBar puts it on the right', async ({ desktop }) => {
  verifies('termprog.resource.rightScrollBar', 'termprog.option.rightbar');
  await using both = await startBoth(desktop, ['-sb', '-rightbar']);
  await becomeEqual(both);
});

test('-leftbar puts it on the left again', async ({ desktop }) => {
  verifies('termprog.resource.rightScrollBar', 'termprog.option.leftbar');
  await using both = await startBoth(desktop, ['-sb', '-xrm', '*rightScrollBar: true', '-leftbar']);
  await becomeEqual(both);
});

for (const border of [0, 1, 6]) {
  test(`with a scrollBarBorder of ${border} the border has that many pixels`, async ({ desktop }) => {
    verifies('termprog.resource.scrollBarBorder');
    await using both = await startBoth(desktop, ['-sb', '-xrm', `*scrollBarBorder: ${border}`]);
    await becomeEqual(both);
    expect((await both.ours.screenshot()).width).toBe(TEXT_WIDTH + 14 + border);
  });
}

for (const [what, args] of [
  ['colours', ['*vt100.scrollbar.foreground: navy', '*Scrollbar.background: #c0c0c0', '*scrollbar.borderColor: red']],
  ['width', ['*scrollbar.width: 20', '*scrollbar.thickness: 9']],
  ['thickness and a longer thumb', ['*scrollbar.thickness: 9', '*Scrollbar.MinimumThumb: 40']],
  ['solid thumb', ['*scrollbar.thumb: None']],
] as const) {
  test(`the scrollbar has a ${what} of its own`, async ({ desktop }) => {
    await using both = await startBoth(desktop, ['-sb', ...args.flatMap((line) => ['-xrm', line])]);
    await becomeEqual(both);
  });
}

test('reverse video swaps its colours, and the screen’s own reversal undoes it', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `seq 1 100; while [ ! -e ${file} ]; do sleep 0.02; done; printf '\\033[?5h'; sleep 60`;
  await using terminal = await startTermprog(desktop, { args: ['-sb', '-rv'], script });
  const trough = async (): Promise<number | undefined> => (await terminal.screenshot()).data[0];
  await waitFor('the trough is black', async () => (await trough()) === 0);
  await desktop.run('touch', file);
  await waitFor('the trough is white', async () => (await trough()) === 255);
});

test('its translations can be changed', async ({ desktop }) => {
  const table = '*scrollbar.translations: #override \\n <Btn1Down>: StartScroll(Backward)';
  await using terminal = await startTermprog(desktop, {
    args: ['-sb', '-xrm', table],
    script: "printf '\\033[41m        \\033[m'; seq 1 30; sleep 60",
  });
  const red = async (): Promise<number> => countColor(await terminal.screenshot(), 0xcd0000);
  const gray = async (): Promise<number> => countColor(await terminal.screenshot(), 0);
  await waitFor('the last line shows', async () => (await gray()) > 500 && (await red()) === 0);

  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '7', '250', 'click', '1');

  await waitFor('the first line shows', async () => (await red()) > 100);
});

test('keys pressed over it are typed, and the cursor stays filled', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `stty raw -echo; printf '\\033]12;red\\007x'; dd bs=1 count=1 of=${file} 2>/dev/null; sleep 60`;
  await using terminal = await startTermprog(desktop, { args: ['-sb'], script });
  const place = (x: string) => desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, x, '100');
  const filled = async (): Promise<boolean> => countColor(await terminal.screenshot(), 0xff0000) >= 6 * 13;
  await place('100');
  await waitFor('the cursor is filled', filled);
  await place('7');
  await desktop.run('xdotool', 'key', 'a');
  await waitFor('the key is typed', () => contentOf(file) === 'a');
  expect(await filled()).toBe(true);
});

test('a window that is made larger has a longer scrollbar, and its hints leave room for it', async ({ desktop }) => {
  await using both = await startBoth(desktop, ['-sb', '-rightbar'], 'seq 1 300; sleep 60');
  await becomeEqual(both);
  const hintsOf = async ({ window }: StartedTerminal): Promise<string[]> =>
    (await desktop.run('xprop', '-id', `${window}`, 'WM_NORMAL_HINTS'))
      .split('\n')
      .filter((line) => /base|min|inc/.test(line));
  expect(await hintsOf(both.ours)).toEqual(await hintsOf(both.theirs));
  for (const { window } of [both.ours, both.theirs]) {
    await desktop.run(
      'xdotool',
      'windowsize',
      '--sync',
      `${window}`,
      `${50 * 6 + 4 + SCROLLBAR_WIDTH}`,
      `${20 * 13 + 4}`,
    );
  }
  await becomeEqual(both);
});

test('in a window that lets through what is behind it the trough does so too, and the thumb does not', async ({
  desktop,
}) => {
  await using compositor = await startCompositor(desktop);
  expect(compositor).toBeDefined();
  const args = ['-sb', '-xrm', '*backgroundOpacity: 0.5', '-xrm', '*scrollbar.thumb: None'];
  await using terminal = await startTermprog(desktop, { args, script: 'seq 1 100; sleep 60' });
  const colorAt = async (y: number): Promise<number> => {
    const { data, width } = await terminal.screenshot();
    return data.readUIntBE(4 * (y * width + 5), 3);
  };
  // The colour is premultiplied, as compositors want it.
  await waitFor('the trough shows', async () => (await colorAt(10)) === 0x808080);
  await waitFor('the thumb shows', async () => (await colorAt(300)) === 0);
});
