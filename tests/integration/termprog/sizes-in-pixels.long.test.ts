import type { PNG } from 'pngjs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, startTermprog, startXterm, type XDesktop } from '../../harness/start-termprog.ts';

type Size = readonly [width: number, height: number];

const ANY_SIZE = ['-xrm', '*resizeByPixel: true'];

/** Sizes whose rest after the border is not a multiple of the cell's width or height. */
const SIZES: readonly Size[] = [
  [303, 205],
  [247, 137],
  [251, 139],
  [10, 17],
  [97, 40],
  [401, 299],
];

const telling = (file: string): string =>
  `trap 'stty size > ${file}' WINCH; stty size > ${file}; while :; do sleep 0.02; done`;

async function sizeOf(desktop: XDesktop, window: number): Promise<Size> {
  const shape = await desktop.run('xwininfo', '-id', `${window}`);
  const number = (name: string): number => Number(new RegExp(`${name}: (\\d+)`).exec(shape)?.[1]);
  return [number('Width'), number('Height')];
}

const hintsOf = (desktop: XDesktop, window: number): Promise<string> =>
  desktop.run('xprop', '-id', `${window}`, 'WM_NORMAL_HINTS');

for (const more of [[], ['-sb'], ['-sb', '-rightbar', '-b', '7'], ['-fn', '10x20']] as const) {
  test(`with "${[...ANY_SIZE, ...more].join(' ')}" each size has the columns and rows of the reference terminal`, async ({
    desktop,
  }) => {
    const pair = await Promise.all(
      [startTermprog, startXterm].map(async (start) => {
        const file = desktop.newFile();
        const args = ['-geometry', '40x10+0+0', ...ANY_SIZE, ...more];
        return { file, terminal: await start(desktop, { args, script: telling(file) }) };
      }),
    );
    try {
      for (const { file } of pair) await waitFor('the child tells its size', () => contentOf(file) === '10 40\n');
      for (const size of SIZES) {
        for (const { terminal } of pair)
          await desktop.run('xdotool', 'windowsize', '--sync', `${terminal.window}`, `${size[0]}`, `${size[1]}`);
        await waitFor(`both have the same grid in ${size.join('x')}`, async () => {
          const [ours, theirs] = pair.map(({ file }) => contentOf(file));
          return ours === theirs && ours !== '';
        });
        const shapes = await Promise.all(pair.map(({ terminal }) => sizeOf(desktop, terminal.window)));
        expect(shapes).toEqual([size, size]);
      }
      const [own = '', its = ''] = await Promise.all(pair.map(({ terminal }) => hintsOf(desktop, terminal.window)));
      for (const hint of [/resize increment: .*/, /base size: .*/])
        expect(hint.exec(own)?.[0], `${hint}`).toBe(hint.exec(its)?.[0]);
      expect(own).toContain('resize increment: 1 by 1\n');
    } finally {
      for (const { terminal } of pair) await terminal[Symbol.asyncDispose]();
    }
  });
}

/** Whether a picture is red where the cells of `fixed` are, and has the background everywhere else. */
function isFilled({ width, height, data }: PNG): boolean {
  const [right, bottom] = [2 + 6 * Math.floor((width - 4) / 6), 2 + 13 * Math.floor((height - 4) / 13)];
  return Array.from({ length: width * height }, (_, pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isCell = x >= 2 && y >= 2 && x < right && y < bottom;
    return data.readUIntBE(4 * pixel, 3) === (isCell ? 0xcd0000 : 0x123456);
  }).every(Boolean);
}

test('the space that no cell fills is background, also where text stood before', async ({ desktop }) => {
  // Red cells over all of it, again after each resize; the cursor is hidden.
  const fill = "printf '\\033[?25l\\033[41m\\033[2J\\033[H'";
  await using terminal = await startTermprog(desktop, {
    args: ['-geometry', '40x10+0+0', '-bg', '#123456', ...ANY_SIZE],
    script: `fill() { ${fill}; }; trap fill WINCH; fill; while :; do sleep 0.02; done`,
  });
  for (const [width, height] of [...SIZES, SIZES[0] as Size]) {
    await desktop.run('xdotool', 'windowsize', '--sync', `${terminal.window}`, `${width}`, `${height}`);
    await waitFor(`in ${width}x${height} the cells are red and all else is background`, async () => {
      const picture = await terminal.screenshot();
      return picture.width === width && picture.height === height && isFilled(picture);
    });
  }
});

test('a switch of fonts in a window of any size keeps columns and rows, in a window of whole cells', async ({
  desktop,
}) => {
  await using terminal = await startTermprog(desktop, {
    args: ['-geometry', '40x10+0+0', ...ANY_SIZE],
    script: 'sleep 60',
  });
  await desktop.run('xdotool', 'windowsize', '--sync', `${terminal.window}`, '303', '205');
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'shift+KP_Add');
  await waitFor('the window has the size for the next font', async () => {
    const [width, height] = await sizeOf(desktop, terminal.window);
    return width === 4 + 49 * 7 && height === 4 + 15 * 13;
  });
});
