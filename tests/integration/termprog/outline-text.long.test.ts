import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PNG } from 'pngjs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { openInProcess } from '../../harness/open-in-process.ts';
import { startTermprog, startXDesktop, startXterm } from '../../harness/start-termprog.ts';
import { compareInk, countColor } from './pixels.ts';

const FACE = ['-fa', 'DejaVu Sans Mono', '-fs', '11'];
const HIDE_CURSOR = '\\033[?25l';
const RED = 0xff0000;

/** Least share of equal pixels, among those that have ink in either picture. */
const EQUAL_SHARE = 0.999;

const colors = [0, 1, 2, 3, 4, 5, 6, 7];

/** Scene -> text that `printf %b` prints in both terminals. */
const scenes: Record<string, string> = {
  'plain text': Array.from(
    { length: 20 },
    (_, line) => `line ${line} The quick brown fox {[(0123456789)]} ~!@#$%%WM`,
  ).join('\\r\\n'),
  'Latin-1 text': 'àéîõü ÄÖÜß ¿¡ ©®±µ¶·¸¹º»¼½¾ þÿ',
  'Cyrillic and Greek': 'Съешь же ещё этих мягких булок\\r\\nΞεσκεπάζω την ψυχοφθόρα',
  'bold, italic, underlined and reversed text':
    '\\033[1mbold\\033[m \\033[3mitalic\\033[1mboth\\033[m \\033[4munder\\033[m \\033[7mreverse\\033[m \\033[1;4;7mall\\033[m',
  'the sixteen colours': colors
    .map((n) => `\\033[3${n}mfore\\033[4${n}mboth\\033[m\\033[9${n}mbright\\033[m\\033[1;3${n}mbold\\033[m`)
    .join('\\r\\n'),
  'wide characters': '漢字 かな カナ \\033[4m下線\\033[m \\033[7m反転\\033[m \\033[44;33m色\\033[m \\033[1m太字\\033[m',
  // The face names a place for the first of them alone. Where a mark touches its letter, xterm blends both otherwise.
  'marks on letters': 'x\u0302 \u1ea1\u0308 \u1ecd\u0308 plain',
  'boxes of the face': '┌──┬──┐\\r\\n│  │  │\\r\\n├──┼──┤\\r\\n└──┴──┘ ',
};

for (const [scene, text] of Object.entries(scenes)) {
  test(`${scene}: inked pixels are those xterm draws`, async () => {
    const script = `printf %b '${text}${HIDE_CURSOR}'; sleep 60`;
    await using reference = await startXterm(desktop, { script, args: [...FACE, '-geometry', '80x24+0+500'] });
    await using terminal = await startTermprog(desktop, { script, args: FACE });

    const compared = await waitFor('both terminals show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await reference.screenshot());
      return ink.inked > 60 && ink.equal >= EQUAL_SHARE * ink.inked ? ink : undefined;
    });

    expect(compared.equal / compared.inked).toBeGreaterThanOrEqual(EQUAL_SHARE);
  });
}

for (const resource of ['Xft.dpi: 110.5', 'Xft.rgba: rgb', 'Xft.antialias: false', 'Xft.hinting: false']) {
  test(`${resource}: inked pixels are those xterm draws`, async () => {
    await using own = await startXDesktop();
    const file = own.newFile();
    writeFileSync(file, `${resource}\n`);
    await own.run('xrdb', '-nocpp', '-load', file);
    const script = `printf %b '${scenes['plain text']}\\r\\n${scenes['the sixteen colours']}${HIDE_CURSOR}'; sleep 60`;
    await using reference = await startXterm(own, { script, args: [...FACE, '-geometry', '80x24+0+500'] });
    await using terminal = await startTermprog(own, { script, args: FACE });

    await waitFor('both terminals show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await reference.screenshot());
      return ink.inked > 1_000 && ink.equal >= EQUAL_SHARE * ink.inked;
    });
  });
}

const sizeOf = async ({ window }: { window: number }): Promise<string[]> =>
  (await desktop.run('xwininfo', '-id', `${window}`)).match(/(Width|Height): \d+/g) ?? [];

for (const [name, args] of Object.entries({
  'a size in points': ['-fa', 'DejaVu Sans Mono', '-fs', '13.5'],
  'a size in the pattern, which wins': ['-fa', 'DejaVu Sans Mono:size=16', '-fs', '7'],
  'a face of proportional widths': ['-fa', 'DejaVu Sans', '-fs', '9'],
})) {
  test(`${name}: the window is as large as that of xterm`, async () => {
    verifies('termprog.resource.faceName', 'termprog.resource.faceSize', 'termprog.option.fa', 'termprog.option.fs');
    await using reference = await startXterm(desktop, { script: 'sleep 60', args: [...args, '-geometry', '20x5'] });
    await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: [...args, '-geometry', '20x5'] });

    expect(await sizeOf(terminal)).toEqual(await sizeOf(reference));
  });
}

test('renderFont false keeps the bitmap font, though a face is named', async () => {
  verifies('termprog.resource.renderFont');
  const args = [...FACE, '-xrm', '*renderFont: false', '-geometry', '20x5'];
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args });

  expect(await desktop.run('xwininfo', '-id', `${terminal.window}`)).toContain(`Width: ${20 * 6 + 4}`);
});

test('renderFont true without a face draws with the usual one', async () => {
  const withFace = ['-fa', 'mono', '-geometry', '20x5'];
  await using named = await startTermprog(desktop, { script: 'sleep 60', args: withFace });
  await using usual = await startTermprog(desktop, {
    script: 'sleep 60',
    args: ['-xrm', '*renderFont: true', '-geometry', '20x5'],
  });

  expect(await sizeOf(usual)).toEqual(await sizeOf(named));
});

test('an emoji keeps its own colours beside text of any colour', async () => {
  const script = `printf '\\033[34m❤\\357\\270\\217 ❤\\357\\270\\217${HIDE_CURSOR}'; sleep 60`;
  await using terminal = await startTermprog(desktop, { script, args: FACE });

  const reddish = await waitFor('there is a red heart', async () => {
    const { data } = await terminal.screenshot();
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      if (red > 200 && green < 90 && blue < 90) count += 1;
    }
    return count > 20 ? count : undefined;
  });
  expect(reddish).toBeGreaterThan(20);
});

const INSTEAD = 'bitmap fonts are used instead';

test('a server without RENDER draws with bitmap fonts, and one line says so', async () => {
  await using plain = await startXDesktop(['-extension', 'RENDER']);
  await using terminal = await startTermprog(plain, {
    args: [...FACE, '-geometry', '20x5', '-cr', 'red', '-ah'],
    script: 'printf "text\\n"; sleep 60',
  });

  await waitFor('its cursor is shown', async () => countColor(await terminal.screenshot(), RED) === 6 * 13);
  expect(terminal.process.output()).toBe(
    `termprog: warning: outline fonts can't be used, ${INSTEAD}: the X server has no RENDER extension\n`,
  );
});

test('fontconfig without fonts means bitmap fonts', async () => {
  const file = join(desktop.folder, 'no-fonts.conf');
  writeFileSync(file, '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>');
  await using terminal = await startTermprog(desktop, {
    args: [...FACE, '-cr', 'red', '-ah'],
    script: 'printf "text\\n"; sleep 60',
    environment: { FONTCONFIG_FILE: file },
  });

  await waitFor('its cursor is shown', async () => countColor(await terminal.screenshot(), RED) === 6 * 13);
  expect(terminal.process.output()).toBe(
    `termprog: warning: resource vt100.faceName: no font matches "DejaVu Sans Mono"; ${INSTEAD}\n`,
  );
});

test('a face that would be too large is not opened, and one line says so', async () => {
  await using terminal = await startTermprog(desktop, {
    args: ['-fa', 'DejaVu Sans Mono', '-fs', '900', '-cr', 'red', '-ah'],
    script: 'printf "text\\n"; sleep 60',
  });

  await waitFor('its cursor is shown', async () => countColor(await terminal.screenshot(), RED) === 6 * 13);
  expect(terminal.process.output()).toMatch(
    new RegExp(`^termprog: warning: resource vt100.faceName: the font DejaVu Sans Mono .+; ${INSTEAD}\\n$`),
  );
});

test('a face that is not there is reported once, with what is used instead', async () => {
  await using terminal = await startTermprog(desktop, {
    args: ['-fa', 'No Such Face', '-geometry', '20x5', '-cr', 'red', '-ah'],
    script: 'printf "text\\n"; sleep 60',
  });

  await waitFor('its cursor is shown', async () => countColor(await terminal.screenshot(), RED) > 50);
  expect(terminal.process.output()).toMatch(
    /^termprog: warning: resource vt100.faceName: no font is named "No Such Face"; .+ is used instead\n$/,
  );
});

test('switching between the renderers keeps the grid, and draws with the other fonts', async () => {
  await using terminal = await openInProcess(desktop, {
    resources: ['*faceName: DejaVu Sans Mono', '*faceSize: 11', '*renderFont: false', '*geometry: 20x5'],
    script: `printf 'text 漢字 🚀${HIDE_CURSOR}'; sleep 60`,
  });
  const sizes = { bitmap: [20 * 6 + 4, 5 * 13 + 4], outline: [20 * 9 + 4, 5 * 19 + 4] };
  const shows = async (name: keyof typeof sizes): Promise<PNG> =>
    waitFor(`it draws with ${name} fonts`, async () => {
      const picture = await terminal.screenshot();
      const [width, height] = sizes[name];
      const isWhite = countColor(picture, 0xffffff) === picture.width * picture.height;
      return picture.width === width && picture.height === height && !isWhite ? picture : undefined;
    });
  const isColored = ({ data }: PNG): boolean => data.some((level, at) => at % 4 === 0 && level !== data[at + 1]);

  expect(isColored(await shows('bitmap'))).toBe(false);
  terminal.options.set('renderFont', 'true');
  await waitFor('the rocket has colours', async () => isColored(await shows('outline')));
  terminal.options.set('renderFont', 'false');
  await waitFor('the rocket has none', async () => !isColored(await shows('bitmap')));
  terminal.options.set('renderFont', 'true');
  await waitFor('the rocket has colours again', async () => isColored(await shows('outline')));
  expect(terminal.lines.filter((line) => !line.startsWith('termprog: info: '))).toEqual([]);
});

test('faults of outline fonts are reported once, however often fonts are switched', async () => {
  await using own = await startXDesktop();
  const face = ['-fa', 'No Such Face', '-fs', '11', '-xrm', '*faceSize1: 700', '-xrm', '*faceNameEmoji: No Such Emoji'];
  await using terminal = await startTermprog(own, { args: face, script: "printf 'text 🚀'; sleep 60" });
  const sizeOf = () => own.run('xdotool', 'getwindowgeometry', `${terminal.window}`);
  await own.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  for (const key of ['shift+KP_Add', 'shift+KP_Subtract', 'shift+KP_Add', 'shift+KP_Subtract']) {
    const before = await sizeOf();
    await own.run('xdotool', 'key', key);
    await waitFor('the fonts are switched', async () => (await sizeOf()) !== before);
  }
  // There is no larger entry than the first but one of 700 points after these.
  for (let press = 0; press < 12; press += 1) await own.run('xdotool', 'key', 'shift+KP_Add');

  const lines = await waitFor('a font is too large', () =>
    terminal.process.output().includes('973 pixels') ? terminal.process.output().trim().split('\n') : undefined,
  );
  expect(lines.toSorted()).toEqual([
    expect.stringMatching(/faceName: no font is named "No Such Face"; .* is used instead$/),
    expect.stringMatching(
      /faceName: the font .* can't be opened at 973 pixels, .*; the entry Unreadable of the VT Fonts menu has no outline font$/,
    ),
    expect.stringMatching(/faceNameEmoji: no font is named "No Such Emoji"; .* is used instead$/),
  ]);
});
