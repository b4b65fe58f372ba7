import { writeFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { askManager, startWindowManager } from '../../harness/openbox.ts';
import {
  contentOf,
  type StartedTerminal,
  startTermprog,
  startXDesktop,
  startXterm,
} from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

let manager: AsyncDisposable;

test.beforeAll(async () => {
  manager = await startWindowManager(desktop);
});

afterAll(async () => {
  await manager[Symbol.asyncDispose]();
});

const shapeOf = (window: number): Promise<string> => desktop.run('xwininfo', '-id', `${window}`);
const stateOf = (window: number): Promise<string> =>
  desktop.run('xprop', '-id', `${window}`, 'WM_STATE', '_NET_WM_STATE');

/** Changes the window's state by EWMH: 1 adds, 0 removes. */
const changeState = (window: number, change: 0 | 1, ...states: string[]): Promise<void> =>
  askManager(desktop.environment, window, '_NET_WM_STATE', [change, ...states]);

const telling = (file: string): string =>
  `while :; do stty size > ${file}.new; mv ${file}.new ${file}; sleep 0.02; done`;

for (const corner of ['+0+0', '-0+0', '+0-0', '-0-0', '+12+34', '-12-34', '-12+34', '+12-34', '+-9+-8', '--9--8']) {
  test(`a window at ${corner} has its frame there, and the size asked for`, async () => {
    const args = ['-geometry', `40x10${corner}`];
    await using terminal = await startTermprog(desktop, { script: 'sleep 60', args });

    await waitFor('it is there', async () => (await shapeOf(terminal.window)).includes(`-geometry 40x10${corner}\n`));
  });
}

for (const states of [['_NET_WM_STATE_MAXIMIZED_VERT', '_NET_WM_STATE_MAXIMIZED_HORZ'], ['_NET_WM_STATE_FULLSCREEN']]) {
  test(`a window in the state ${states.join(' ')} fills the screen, and comes back`, async () => {
    const file = desktop.newFile();
    const script = `printf '\\033[41m red '; ${telling(file)}`;
    await using terminal = await startTermprog(desktop, { script, args: ['-geometry', '40x10+0+0'] });
    await waitFor('it tells its size', () => contentOf(file) === '10 40\n');

    await changeState(terminal.window, 1, ...states);
    await waitFor('there are as many columns as fit', () => /^7[5-8] 21[23]\n$/.test(contentOf(file)));
    await waitFor('it shows its text', async () => countColor(await terminal.screenshot(), 0xcd0000) > 50);
    await changeState(terminal.window, 0, ...states);

    await waitFor('it has its size again', () => contentOf(file) === '10 40\n');
    expect(await shapeOf(terminal.window)).toContain('-geometry 40x10+0+0\n');
  });
}

/** Starts a terminal that writes green once `go` is called. */
async function startWaiting(args: string[] = []): Promise<{ terminal: StartedTerminal; go(): void; done(): boolean }> {
  const file = desktop.newFile();
  const script = `while [ ! -e ${file} ]; do sleep 0.02; done; seq 1 100; printf '\\033[42m green '; echo done > ${file}-done; sleep 60`;
  const terminal = await startTermprog(desktop, { script, args });
  return { terminal, go: () => writeFileSync(file, ''), done: () => contentOf(`${file}-done`) !== '' };
}

const isGreen = async (terminal: StartedTerminal): Promise<boolean> =>
  countColor(await terminal.screenshot(), 0x00cd00) > 100;

test('output that arrives while the window is an icon shows when it comes back', async () => {
  const { terminal, go, done } = await startWaiting();
  await using _terminal = terminal;
  await askManager(desktop.environment, terminal.window, 'WM_CHANGE_STATE', [3]);
  await waitFor('it is an icon', async () => (await stateOf(terminal.window)).includes('window state: Iconic'));

  go();
  await waitFor('it is written', done);
  await desktop.run('xdotool', 'windowactivate', `${terminal.window}`);

  await waitFor('it shows', () => isGreen(terminal));
});

test('output that arrives while the window is on another workspace shows when that is chosen', async () => {
  const { terminal, go, done } = await startWaiting();
  await using _terminal = terminal;
  await desktop.run('xdotool', 'set_desktop_for_window', `${terminal.window}`, '1');
  await waitFor('it is hidden', async () => (await shapeOf(terminal.window)).match(/IsUn/) !== null);

  go();
  await waitFor('it is written', done);
  await desktop.run('xdotool', 'set_desktop', '1');

  await waitFor('it shows', () => isGreen(terminal));
  await desktop.run('xdotool', 'set_desktop', '0');
});

test('a window that starts as an icon is one, and shows what was written when it is opened', async () => {
  const file = desktop.newFile();
  const listed = (): Promise<string> => desktop.run('xprop', '-root', '_NET_CLIENT_LIST');
  // The windows of earlier terminals: the server gives their numbers out again.
  await waitFor('no window is managed', async () => !/0x/.test(await listed()));
  const starting = startTermprog(desktop, {
    script: `printf '\\033[42m green '; echo ran > ${file}; sleep 60`,
    args: ['-iconic'],
  });
  await waitFor('the child runs', () => contentOf(file) === 'ran\n');
  const id = await waitFor('it is managed', async () => /(0x[0-9a-f]+)\n?$/.exec(await listed())?.[1]);
  expect(await stateOf(Number(id))).toContain('window state: Iconic');

  await desktop.run('xdotool', 'windowactivate', `${Number(id)}`);

  await using terminal = await starting;
  await waitFor('it shows', () => isGreen(terminal));
});

test('the window manager takes over a title in any script', async () => {
  const file = desktop.newFile();
  const script = `while [ ! -e ${file} ]; do sleep 0.02; done; printf '\\033]2;Ж 漢字 😀\\007'; sleep 60`;
  await using terminal = await startTermprog(desktop, { script });
  writeFileSync(file, '');

  await waitFor('it is taken over', async () => {
    const name = await desktop.run('xdotool', 'getwindowname', `${terminal.window}`);
    return name === 'Ж 漢字 😀\n';
  });
});

for (const byPixel of [false, true]) {
  test(`with "resizeByPixel: ${byPixel}" sizes that are asked of the window manager become those of the reference terminal`, async () => {
    const files = [desktop.newFile(), desktop.newFile()] as const;
    const args = ['-geometry', '40x10+0+0', '-xrm', `*resizeByPixel: ${byPixel}`];
    await using ours = await startTermprog(desktop, { args, script: telling(files[0]) });
    await using theirs = await startXterm(desktop, { args, script: telling(files[1]) });
    const sizes = (): Promise<string[]> =>
      Promise.all(
        [ours, theirs].map(async ({ window }, index) => {
          const shape = await shapeOf(window);
          const size = /Width: (\d+)\n\s+Height: (\d+)/.exec(shape)?.slice(1).join('x');
          return `${size} ${contentOf(files[index] ?? '').trim()}`;
        }),
      );
    for (const [width, height] of [
      [303, 205],
      [247, 137],
      [403, 300],
    ] as const) {
      const rounded = `${4 + 6 * Math.floor((width - 4) / 6)}x${4 + 13 * Math.floor((height - 4) / 13)}`;
      const cells = `${Math.floor((height - 4) / 13)} ${Math.floor((width - 4) / 6)}`;
      const expected = `${byPixel ? `${width}x${height}` : rounded} ${cells}`;
      // The request keeps the frame's corner, and changes width and height.
      for (const { window } of [ours, theirs])
        await askManager(desktop.environment, window, '_NET_MOVERESIZE_WINDOW', [0xc00, 0, 0, width, height]);
      await waitFor(`both have the size ${expected}`, async () => {
        const [own, its] = await sizes();
        return own === expected && its === expected;
      });
    }
  });
}

test('the window manager restarts, and the window stays as it was', async () => {
  await using own = await startXDesktop();
  const first = await startWindowManager(own);
  await using terminal = await startTermprog(own, {
    script: "printf '\\033[42m green '; sleep 60",
    args: ['-geometry', '40x10+30+40'],
  });
  await waitFor('it is framed', async () =>
    (await own.run('xprop', '-id', `${terminal.window}`, '_NET_FRAME_EXTENTS')).includes('='),
  );
  await first[Symbol.asyncDispose]();

  await using _second = await startWindowManager(own);

  await waitFor('it shows', () => isGreen(terminal));
  expect(await own.run('xwininfo', '-id', `${terminal.window}`)).toContain('-geometry 40x10+30+40\n');
  expect(terminal.process.output()).toBe('');
});
