import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';

let desktop: XDesktop;
/** Settings of fontconfig with the DejaVu fonts alone. */
let fonts: string;

beforeAll(async () => {
  desktop = await startXDesktop();
  const folder = (await desktop.run('fc-match', '-f', '%{file}', 'DejaVu Sans Mono')).replace(/\/[^/]*$/, '');
  fonts = join(desktop.folder, 'dejavu.conf');
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir>
<cachedir>${desktop.folder}/cache</cachedir></fontconfig>`,
  );
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** Letters that DejaVu Sans Mono lacks, and others of its family have: mathematical ones and those of other scripts. */
const LETTERS = '𝔘𝔫𝒳𝟙ԱკᐃⵣשקⴲꝏΞ';
const LAST = '~';
const WHITE = 255;

test('letters that only wider fonts have are letters at every size, none a box and none beyond its cell', async () => {
  for (const points of [8, 10, 11, 14, 20]) {
    const { report, picture } = await show(LETTERS, points);
    expect(
      report.filter((line) => line.includes('placeholder box')),
      `${points} points`,
    ).toEqual([]);
    const shrunk = report.filter((line) => line.includes('scaled by'));
    expect(shrunk.length, `${points} points`).toBeGreaterThan(0);
    const cell = (picture.width - 2 * 2) / 60;
    const left = 2 + [...LETTERS].length * cell;
    expect(inkOf(picture, left, picture.width), `${points} points: behind the last letter`).toBe(0);
    expect(inkOf(picture, 2, 2 + cell), `${points} points: the first letter`).toBeGreaterThan(8);
  }
});

test('characters that are in no font stay boxes', async () => {
  const { report } = await show('𝔘\u{1e900}漢', 10);
  expect(report.find((line) => line.includes('U+1D518'))).toMatch(/: system, DejaVu .*scaled by/);
  for (const code of ['U+1E900', 'U+6F22'])
    expect(
      report.find((line) => line.includes(code)),
      code,
    ).toContain('placeholder box');
});

/** Returns the report about the characters of a text at a size in points, and a picture of them. */
async function show(text: string, points: number): Promise<{ report: string[]; picture: PNG }> {
  await using terminal = await startTermprog(desktop, {
    args: ['-fa', 'DejaVu Sans Mono', '-fs', `${points}`, '-report-font-routing', '-geometry', '60x2'].concat([
      '-xrm',
      '*vt100.translations: #override \\n <Key>F5: report-font-routing()',
    ]),
    script: `stty -echo; printf '\\033[?25l${text}\\r\\n${LAST}'; sleep 60`,
    environment: { FONTCONFIG_FILE: fonts },
  });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  const report = await waitFor(
    'the report is complete',
    async () => {
      await desktop.run('xdotool', 'key', 'F5');
      const written = terminal.process.output();
      return written.includes('U+007E') && written;
    },
    { process: terminal.process },
  );
  return { report: report.split('\n').filter((line) => line.includes('U+')), picture: await terminal.screenshot() };
}

/** Pixels with ink in the columns of a cell of the first row, by their column. */
function inkOf({ width, height, data }: PNG, left: number, right: number): number {
  let inked = 0;
  for (let y = 0; y < height / 2; y += 1) {
    for (let x = Math.round(left); x < right; x += 1) if ((data[4 * (y * width + x)] ?? WHITE) < WHITE - 64) inked += 1;
  }
  return inked;
}
