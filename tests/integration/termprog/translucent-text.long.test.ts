import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { startWatchedDesktop, type WatchedDesktop } from '../../harness/watched-desktop.ts';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffff_ffff;
const OPAQUE = 0xff;
const RED = 0xff0000;

let desktop: WatchedDesktop;

beforeAll(async () => {
  desktop = await startWatchedDesktop({ isComposited: true });
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

interface Picture {
  width: number;
  /** Blue, green, red and alpha of each pixel. */
  data: Buffer;
}

/** Lines, own backgrounds, wide text, emoji, a cluster, smooth shapes; more rows than the window has. */
const TEXT = [
  ...Array.from({ length: 8 }, (_, row) => `row ${row} 🚀 ╱▒ x́`),
  'plain \\033[1;31mbold\\033[m \\033[3mitalic\\033[m \\033[44;33mown\\033[m \\033[7minverse\\033[m',
  '\\033[4:3;58:5:9mcurly\\033[m \\033[4:5mdashed\\033[m \\033[9mstruck\\033[m 漢字 \\033[42m🚀\\033[m 👩‍🚀 \\033[8mhidden🚀\\033[m',
  '┌─┐ ◢◣ ▓▒░ ⣿█▌  \\033[35m─▒╱\\033[m\\033[1;3H',
].join('\\r\\n');

/** Part of a cursor of any shape on the third cell, in cells of 9 x 19 pixels. */
const CURSOR = { x: 2 + 2 * 9, y: 2 + 17 };

for (const args of [[], ['-uc'], ['-barc'], ['+fbx']]) {
  test(`with "${args.join(' ')}" translucent outline text over white looks as opaque text does`, async () => {
    const grid = ['-geometry', '50x5', ...args];
    const opaque = await pixelsWith('disabled', grid);
    const translucent = await pixelsWith('0.5', grid);

    expect(translucent.length).toBe(opaque.length);
    let differences = 0;
    let through = 0;
    for (let at = 0; at < opaque.length; at += 4) {
      const seen = overWhite(translucent, at);
      if ((translucent[at + 3] ?? 0) < OPAQUE) through += 1;
      // Each blending rounds once.
      if (seen?.every((level, channel) => Math.abs(level - (opaque[at + channel] ?? 0)) <= 2) !== true)
        differences += 1;
    }
    expect(differences).toBe(0);
    expect(through).toBeGreaterThan(opaque.length / 8);
  });
}

test('text with a coverage for each colour is nowhere brighter than its alpha', async () => {
  const file = desktop.newFile();
  writeFileSync(file, 'Xft.rgba: rgb\n');
  await desktop.run('xrdb', '-nocpp', '-load', file);
  const pixels = await pixelsWith('0.5', ['-rv', '-geometry', '50x5']);

  const isColored = (at: number): boolean => pixels[at] !== pixels[at + 1] && (pixels[at + 3] ?? 0) < OPAQUE;
  const all = Array.from({ length: pixels.length / 4 }, (_, pixel) => pixel * 4);
  expect(all.filter(isColored).length).toBeGreaterThan(100);
  expect(all.filter((at) => overWhite(pixels, at) === undefined).length).toBe(0);
});

/** Returns a window's own pixels. */
async function pictureOf(window: number): Promise<Picture> {
  const { width, height } = await desktop.connection.x.ask<{ width: number; height: number }>(
    'the size',
    (client, reply) => client.GetGeometry(window, reply),
  );
  const { data } = await desktop.connection.x.ask<{ data: Buffer }>('the picture', (client, reply) =>
    client.GetImage(Z_PIXMAP, window, 0, 0, width, height, ALL_PLANES, reply),
  );
  return { width, data };
}

/** Returns a pixel's look over a white window; undefined for a pixel that has more colour than its alpha allows. */
function overWhite(data: Buffer, at: number): number[] | undefined {
  const alpha = data[at + 3] ?? 0;
  const levels = [...data.subarray(at, at + 3)];
  return levels.some((level) => level > alpha) ? undefined : levels.map((level) => level + OPAQUE - alpha);
}

/** The pixels of a window that has shown the cursor, which comes last. */
async function pixelsWith(opacity: string, args: readonly string[] = []): Promise<Buffer> {
  await using terminal = await startTermprog(desktop, {
    args: ['-fa', 'DejaVu Sans Mono', '-fs', '11', '-ah', '-cr', 'red', '-opacity', opacity, ...args],
    script: `printf %b '${TEXT}'; sleep 60`,
  });
  const pixels = await waitFor(
    'the cursor is shown',
    async () => {
      const { width, data } = await pictureOf(terminal.window);
      return data.readUInt32LE(4 * (CURSOR.y * width + CURSOR.x)) % 0x1000000 === RED ? data : undefined;
    },
    { process: terminal.process },
  );
  expect(terminal.process.output()).toBe('');
  return pixels;
}
