import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { cellSizeOf } from '../../../src/termprog/fonts/outline/cell-size.ts';
import { loadOutlineFonts } from '../../../src/termprog/fonts/outline/outline-fonts.ts';
import { startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';

let desktop: XDesktop;
beforeAll(async () => {
  desktop = await startXDesktop();
});
afterAll(() => desktop[Symbol.asyncDispose]());

/** Rows and columns of the window that is measured. */
const CELLS = 10;

const faces = [
  ['DejaVu Sans Mono', 8],
  ['DejaVu Sans Mono', 11],
  ['DejaVu Sans Mono:size=13.5', 8],
  ['Liberation Mono', 12],
  ['DejaVu Sans', 11],
  // Their lines of a VT100 are as wide as ideographs.
  ['Noto Sans Mono CJK JP', 11],
  ['Noto Sans CJK KR', 14],
  ['Noto Serif CJK SC', 11],
  ['No Such Face', 10],
] as const;

test.each(['96', '100', '99.887', '143'])('at %s dots per inch cells are as large as those of xterm', async (dpi) => {
  await desktop.run('sh', '-c', 'printf "Xft.dpi: %s\\n" "$1" | xrdb -merge', 'sh', dpi);
  const source = loadOutlineFonts().openSource({ dpi: 1, subpixelOrder: 0, resources: { dpi } });
  for (const [pattern, points] of faces) {
    const face = source.match({ pattern, size: { points }, isBold: false, isItalic: false, isPrimary: true })?.open();
    if (face === undefined) throw new Error(`no face for ${pattern}`);
    const { width, height } = cellSizeOf(face);
    expect(`${pattern} ${width}x${height}`).toBe(`${pattern} ${await referenceCell(dpi, pattern, points)}`);
    face.close();
  }
  source.close();
});

/** The cell of xterm, by the size of a window without borders, as an outside program sees it. */
async function referenceCell(dpi: string, pattern: string, points: number): Promise<string> {
  const title = `cell ${dpi} ${pattern}`;
  const terminal = startProcess({
    name: 'xterm',
    command: [
      'xterm',
      ...['-fa', pattern, '-fs', `${points}`, '-geometry', `${CELLS}x${CELLS}`, '-T', title],
      ...['+sb', '-bw', '0', '-b', '0', '-e', 'sleep', '60'],
    ],
    env: { HOME: '/nonexistent', LC_ALL: 'C.UTF-8', ...desktop.environment },
  });
  const size = await waitFor(
    'xterm shows its window',
    async () => {
      const shape = await desktop.run('xwininfo', '-name', title).catch(() => '');
      return /Width: (\d+)\s+Height: (\d+).*Map State: IsViewable/s.exec(shape) ?? undefined;
    },
    { process: terminal },
  );
  await terminal.stop();
  return size
    .slice(1)
    .map((pixels) => Number(pixels) / CELLS)
    .join('x');
}
