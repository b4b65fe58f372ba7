import { expect } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTilingManager } from '../../harness/i3.ts';
import { restingPicture } from '../../harness/resting-picture.ts';
import { contentOf, startTermprog, startXDesktop, startXterm, type XDesktop } from '../../harness/start-termprog.ts';
import { startWrittenTerminal } from '../../harness/written-terminal.ts';

test('a bell on a workspace that is not shown marks it as urgent, also a second time, until its window gets the focus', async () => {
  await using desktop = await startXDesktop();
  await using manager = await startTilingManager(desktop);
  await using urgent = await startWrittenTerminal(desktop, { args: ['-xrm', '*bellIsUrgent: true'] });
  for (let round = 0; round < 2; round += 1) {
    await manager.command('workspace 2');
    await urgent.write('\x07');
    await waitFor('its workspace is urgent', async () => (await manager.urgentWorkspaces()).includes(1));
    await manager.command('workspace 1');
    await waitFor('none is urgent', async () => (await manager.urgentWorkspaces()).length === 0);
    const hints = await desktop.run('xprop', '-id', `${urgent.terminal.window}`, 'WM_HINTS');
    expect(hints).not.toContain('urgency');
  }
});

test('a reader of the history keeps the first shown line while other windows take room of the screen and give it back', async () => {
  await using desktop = await startXDesktop();
  await using manager = await startTilingManager(desktop);
  await using reading = await startWrittenTerminal(desktop);
  const { terminal, write } = reading;
  await write(Array.from({ length: 400 }, (_, line) => `line ${line} of the text\r\n`).join(''));
  await desktop.run('xdotool', 'mousemove', '60', '60', 'click', '--repeat', '40', '4');
  /** Two rows of text, as wide as the narrowest tile. */
  const topOf = async (): Promise<string> => {
    const { data, width } = await terminal.screenshot();
    return Array.from({ length: 26 }, (_, y) =>
      data.subarray(4 * (y + 2) * width, 4 * ((y + 2) * width + 2 + 6 * 30)).toString('base64'),
    ).join();
  };
  const sizeOf = async (): Promise<string> => {
    const { width, height } = await terminal.screenshot();
    return `${width}x${height}`;
  };
  const full = await sizeOf();
  const before = await restingPicture(terminal).then(topOf);
  for (const layout of ['split h', 'split v']) {
    await manager.command(layout);
    const others = [await startWrittenTerminal(desktop), await startWrittenTerminal(desktop)];
    await waitFor('it has a smaller tile', async () => (await sizeOf()) !== full);
    await waitFor('the same lines are shown', async () => (await topOf()) === before);
    for (const other of others) await other[Symbol.asyncDispose]();
    await waitFor('it has the screen again', async () => (await sizeOf()) === full);
    await waitFor('the same lines are shown', async () => (await topOf()) === before);
  }
});

/** Counts how often a property of a window is written. */
function watchProperty(desktop: XDesktop, window: number, name: string): { count(): number } & AsyncDisposable {
  const watcher = startProcess({
    name: 'xprop',
    command: ['xprop', '-spy', '-notype', '-id', `${window}`, name],
    env: { ...desktop.environment },
  });
  return {
    count: () => watcher.output().split(name).length - 1,
    [Symbol.asyncDispose]: () => watcher.stop(),
  };
}

test('a program that rings for ever, or switches the mode off and on besides, asks for attention a few times', async ({
  desktop,
}) => {
  await using other = await startWrittenTerminal(desktop);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${other.terminal.window}`);
  await using ringing = await startWrittenTerminal(desktop, { args: ['-xrm', '*bellIsUrgent: true'] });
  await using hints = watchProperty(desktop, ringing.terminal.window, 'WM_HINTS');
  await waitFor('the hints are watched', () => hints.count() === 1);

  for (let ring = 0; ring < 100; ring += 1) await ringing.write('\x07');
  await waitFor('the hint is there', () => hints.count() > 1);
  for (let ring = 0; ring < 30; ring += 1) {
    await ringing.write('\x1b[?1042l');
    // Each of both is in a frame of its own.
    await ringing.terminal.screenshot();
    await ringing.write('\x1b[?1042h\x07');
    await ringing.terminal.screenshot();
  }
  await ringing.write('\x1b[?1042h');
  // Five at once, one in three seconds, and the end of each.
  expect(hints.count()).toBeLessThan(30);
});

const telling = (file: string): string =>
  `trap 'stty size > ${file}' WINCH; stty size > ${file}; while :; do sleep 0.02; done`;

for (const [layout, ...steps] of [
  ['split h', 'resize grow width 37 px', 'resize shrink width 22 px'],
  ['split v', 'resize grow height 29 px', 'resize shrink height 11 px'],
] as const) {
  test(`with "resizeByPixel" a tile of "${layout}" has the rows and columns of the reference terminal`, async () => {
    await using desktop = await startXDesktop();
    await using manager = await startTilingManager(desktop);
    const args = ['-xrm', '*resizeByPixel: true'];
    const [first, second] = [desktop.newFile(), desktop.newFile()];
    await using ours = await startTermprog(desktop, { args, script: telling(first) });
    await manager.command(layout);
    await using theirs = await startXterm(desktop, { args, script: telling(second) });
    const shapeOf = async (window: number): Promise<string> =>
      (await desktop.run('xwininfo', '-id', `${window}`)).match(/Width: \d+|Height: \d+/g)?.join(' ') ?? '';
    for (const command of ['nop', ...steps]) {
      await manager.command(command);
      await waitFor(`after "${command}" both tell the size of their tiles`, async () => {
        const sizes = await Promise.all(
          [ours, theirs].map(async ({ window }) => {
            const [width = 0, height = 0] = (await shapeOf(window)).match(/\d+/g)?.map(Number) ?? [];
            return `${Math.floor((height - 4) / 13)} ${Math.floor((width - 4) / 6)}\n`;
          }),
        );
        return contentOf(first) === sizes[0] && contentOf(second) === sizes[1];
      });
    }
  });
}
