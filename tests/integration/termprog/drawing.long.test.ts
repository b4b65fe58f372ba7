import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { type StartedTerminal, startTermprog, startXterm } from '../../harness/start-termprog.ts';
import { boundsOf, compareInk, countColor } from './pixels.ts';

const colors = [0, 1, 2, 3, 4, 5, 6, 7];

/** The reference terminal sometimes never draws its hollow cursor: cursors have tests of their own. */
const HIDE_CURSOR = '\\033[?25l';

/** Slanted, with ink in the last columns of its cells, and without a bold form: bold is drawn twice. */
const OVERHANGING_FONT = '-misc-fixed-medium-o-normal--13-120-75-75-c-70-iso8859-1';

/** Scene -> text that `printf %b` prints in both terminals. */
const scenes: Record<string, string> = {
  'plain text': Array.from({ length: 20 }, (_, line) => `line ${line} The quick brown fox {[(0123456789)]} ~!@#$`).join(
    '\\r\\n',
  ),
  'Latin-1 text': 'àéîõü ÄÖÜß ¿¡ ©®±µ¶·¸¹º»¼½¾ þÿ',
  'bold, underlined and reversed text':
    '\\033[1mbold\\033[m \\033[4munder\\033[m \\033[7mreverse\\033[m \\033[1;4;7mall\\033[m \\033[9mstruck\\033[m',
  'the sixteen colours': colors
    .map((n) => `\\033[3${n}mfore\\033[4${n}mboth\\033[m\\033[9${n}mbright\\033[m\\033[1;3${n}mbold\\033[m`)
    .join('\\r\\n'),
  'palette and true colours':
    '\\033[38;5;208mc208\\033[48;5;21mon 21\\033[m \\033[38;2;1;200;100mtrue\\033[48;2;90;0;90mback\\033[m \\033[38;5;244mgrey\\033[m',
  'line drawing of the DEC set': '\\033(0lqqqwqqqk\\r\\nx   x   x\\r\\ntqqqnqqqu\\r\\nmqqqvqqqj\\033(B',
  'light boxes': '┌──┬──┐\\r\\n│  │  │\\r\\n├──┼──┤\\r\\n└──┴──┘',
  'wide characters in bold': '\\033[1m漢字 かな\\033[m 漢字 \\033[1;31m色\\033[m',
  'wide characters': '漢字 かな カナ \\033[4m下線\\033[m \\033[7m反転\\033[m \\033[44;33m色\\033[m',
  'combining characters': 'e\u0301 a\u0308 n\u0303 plain',
  'blinking and hidden text': '\\033[5mblink\\033[m \\033[8mhidden\\033[m after',
  'reverse screen areas': '\\033[7m   \\033[42m   \\033[m \\033[7;1;31mred\\033[m',
  'the alternate screen': 'first\\033[?1049h\\033[Hsecond\\033[3;3Hthird',
  shades: '▒▒▒▒ ▒x▒\\r\\n▒▒▒▒ \\033[7m▒▒\\033[m \\033[31;44m▒▒▒\\033[m',
  'a reversed screen':
    'plain \\033[7mreverse\\033[m \\033[30mblack\\033[37mwhite\\033[90mdark\\033[1;31mbold\\033[m\\033[?5h',
  'text scrolled inside of margins, and wide characters overwritten by halves':
    'top\\r\\n\\033[2;5r\\033[5;1Hone\\r\\ntwo\\r\\nthree\\r\\nfour\\r\\nfive\\033[r\\033[8;1H漢字漢\\033[8;2Hx\\033[8;5Hy',
};

/** Scenes in another font than `fixed`. */
const DEC_BOXES = 'lqqwqqk\\r\\nx  x  x\\r\\ntqqnqqu\\r\\nmqqvqqj';
const dec = (text: string): string => `\\033(0${text}\\033(B`;

const fontScenes: Record<string, { font: string; text: string }> = {
  ...Object.fromEntries(
    ['9x15', '10x20', '8x13', '7x13'].map((font) => [
      `lines of the DEC set in ${font}`,
      { font, text: dec(`${DEC_BOXES} opqrs`) },
    ]),
  ),
  'bold lines of the DEC set': { font: 'fixed', text: `\\033[1m${dec(DEC_BOXES)}\\033[m` },
  'bold text for want of a bold font': {
    font: OVERHANGING_FONT,
    text: 'plain \\033[1mABCDE 02358 @%%\\033[m plain\\r\\n\\033[1;31mRED\\033[32mGREEN\\033[7mSO\\033[m|',
  },
};

for (const [scene, { font, text }] of [
  ...Object.entries(scenes).map(([scene, text]) => [scene, { font: 'fixed', text }] as const),
  ...Object.entries(fontScenes),
]) {
  test(`${scene}: every inked pixel is the one xterm draws`, async () => {
    const script = `printf %b '${text.replaceAll("'", "'\\''")}${HIDE_CURSOR}'; sleep 60`;
    const args = ['-fn', font];
    // The windows are side by side on the screen with every font.
    await using reference = await startXterm(desktop, { script, args: [...args, '-geometry', '60x24+640+0'] });
    await using terminal = await startTermprog(desktop, { script, args: [...args, '-geometry', '60x24'] });

    const compared = await waitFor('both terminals show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await reference.screenshot());
      return ink.inked > 60 && ink.equal === ink.inked ? ink : undefined;
    });

    expect(compared.equal).toBe(compared.inked);
  });
}

const RED = 0xff0000;

/** A terminal with a red cursor on the third cell of the second row. */
const withCursor = (...args: string[]): Promise<StartedTerminal> =>
  startTermprog(desktop, { args: ['-cr', 'red', ...args], script: "printf 'text\\n\\033[2;3H'; sleep 60" });

for (const [cursor, { args, pixels, bounds }] of Object.entries({
  'a block without the focus is the outline of its cell': {
    args: [],
    pixels: 2 * 6 + 2 * 11,
    bounds: { x: 14, y: 15, width: 6, height: 13 },
  },
  'a block with the focus is the whole cell': {
    args: ['-ah'],
    pixels: 6 * 13,
    bounds: { x: 14, y: 15, width: 6, height: 13 },
  },
  'an underline lies at the bottom': {
    args: ['-ah', '-xrm', '*cursorUnderLine: true'],
    pixels: 5 * 2,
    bounds: { x: 14, y: 26, width: 5, height: 2 },
  },
  'a bar stands at the left': {
    args: ['-xrm', '*cursorBar: true'],
    pixels: 2 * 12,
    bounds: { x: 14, y: 15, width: 2, height: 12 },
  },
})) {
  test(`the cursor: ${cursor}`, async () => {
    await using terminal = await withCursor(...args);

    const picture = await waitFor('there is a cursor in its place', async () => {
      const shot = await terminal.screenshot();
      return boundsOf(shot, RED)?.x === bounds.x ? shot : undefined;
    });

    expect(countColor(picture, RED)).toBe(pixels);
    expect(boundsOf(picture, RED)).toEqual(bounds);
  });
}

test('the cursor leaves no trace where text scrolls under it', async () => {
  const lines = 'for line in $(seq 1 60); do echo line $line; sleep 0.01; done';
  await using terminal = await startTermprog(desktop, {
    args: ['-ah', '-cr', 'red'],
    script: `${lines}; printf '${HIDE_CURSOR}\\033[2J'; sleep 60`,
  });

  await waitFor('nothing is left', async () => {
    const picture = await terminal.screenshot();
    return countColor(picture, 0xffffff) === picture.width * picture.height;
  });
});

test('text that scrolls up from under another window is complete', async () => {
  const go = join(desktop.folder, 'scroll-now');
  const script =
    `printf '${HIDE_CURSOR}'; seq 1 24; until [ -e ${go} ]; do sleep 0.05; done; ` +
    'for line in $(seq 100 160); do echo "line $line is under another window"; sleep 0.005; done; sleep 60';
  await using terminal = await startTermprog(desktop, { script });
  await using whole = await startTermprog(desktop, { script, args: ['-geometry', '+600+400'] });
  const inkOf = async (window: StartedTerminal): Promise<number> => countColor(await window.screenshot(), 0);
  await waitFor('both have text', async () => (await inkOf(terminal)) > 100 && (await inkOf(whole)) > 100);
  await using cover = await startTermprog(desktop, {
    args: ['-bg', 'red', '-geometry', '12x6+40+150'],
    script: 'sleep 60',
  });
  await waitFor('it is covered', async () => countColor(await cover.screenshot(), RED) > 1_000);

  writeFileSync(go, '');

  const scrolled = await waitFor('everything is printed', async () => {
    const before = await inkOf(whole);
    return before > 5_000 ? before : undefined;
  });
  expect(scrolled).toBeGreaterThan(0);
  await cover.process.stop();
  await waitFor('both windows show the same', async () => {
    const { inked, equal } = compareInk(await terminal.screenshot(), await whole.screenshot());
    return inked > 5_000 && equal === inked;
  });
});

test('twice drawn text leaves no pixels when it goes', async () => {
  await using terminal = await startTermprog(desktop, {
    args: ['-fn', OVERHANGING_FONT],
    script: `printf '\\033[1mABCDE@\\033[m'; sleep 0.5; printf '\\r      ${HIDE_CURSOR}'; sleep 60`,
  });
  await waitFor('there is text', async () => countColor(await terminal.screenshot(), 0) > 60);

  await waitFor('it is gone', async () => countColor(await terminal.screenshot(), 0) === 0);
});

test('a colour that the server does not know is the default of its own resource', async () => {
  await using terminal = await startTermprog(desktop, {
    args: ['-xrm', '*color1: no such colour', '-xrm', '*color12: nor this'],
    script: "printf '\\033[41m   \\033[104m   '; sleep 60",
  });

  await waitFor('red is the red of the default palette', async () => {
    const picture = await terminal.screenshot();
    return countColor(picture, 0xcd0000) === 3 * 6 * 13 && countColor(picture, 0x5c5cff) === 3 * 6 * 13;
  });
  expect(terminal.process.output()).toContain(
    'the X server knows no colour "no such colour"; the default is used; expected a name that it knows, such as "red", or numbers',
  );
});

test('the window has the size of 80 columns and 24 rows of `fixed` and the padding', async () => {
  verifies('termprog.limit.initial-size');
  await using terminal = await startTermprog(desktop, { script: 'sleep 60' });

  const { width, height } = await terminal.screenshot();

  expect([width, height]).toEqual([484, 316]);
});

test('characters the font lacks come from its Unicode form, and others are boxes', async () => {
  await using terminal = await startTermprog(desktop, { script: "printf 'Привет €'; sleep 60" });
  await using other = await startTermprog(desktop, {
    script: "printf 'ကကကက'; sleep 60",
    args: ['-geometry', '+600+0'],
  });

  await waitFor('Cyrillic has ink', async () => countColor(await terminal.screenshot(), 0) > 80);
  await waitFor('boxes have ink', async () => countColor(await other.screenshot(), 0) > 120);
});

test('colours come from resources', async () => {
  verifies('termprog.option.bg', 'termprog.option.fg', 'termprog.resource.foreground');
  await using terminal = await startTermprog(desktop, {
    args: ['-bg', '#102030', '-fg', 'rgb:ff/00/80'],
    script: 'echo hello; sleep 60',
  });

  await waitFor('text has the foreground', async () => countColor(await terminal.screenshot(), 0xff0080) > 40);
  expect(countColor(await terminal.screenshot(), 0x102030)).toBeGreaterThan(100_000);
});

test('reverse video swaps the default colours', async () => {
  verifies('termprog.option.rv', 'termprog.resource.reverseVideo');
  await using terminal = await startTermprog(desktop, { args: ['-rv'], script: 'echo hello; sleep 60' });

  await waitFor('text is white', async () => countColor(await terminal.screenshot(), 0xffffff) > 40);
  expect(countColor(await terminal.screenshot(), 0)).toBeGreaterThan(100_000);
});

test('always highlighting fills the cursor without focus', async () => {
  verifies(
    'termprog.option.ah',
    'termprog.option.cr',
    'termprog.resource.alwaysHighlight',
    'termprog.resource.cursorColor',
  );
  await using terminal = await startTermprog(desktop, { args: ['-ah', '-cr', 'red'], script: 'sleep 60' });

  await waitFor(
    'the cursor is a filled cell',
    async () => countColor(await terminal.screenshot(), 0xff0000) === 6 * 13,
  );
});

test('damaged areas are painted again', async () => {
  await using terminal = await startTermprog(desktop, { script: 'echo hello; sleep 60' });
  const before = await waitFor('there is text', async () => {
    const picture = await terminal.screenshot();
    return countColor(picture, 0) > 40 ? countColor(picture, 0) : undefined;
  });
  await using cover = await startTermprog(desktop, { args: ['-bg', 'red'], script: 'sleep 60' });
  await waitFor('it is covered', async () => countColor(await cover.screenshot(), 0xff0000) > 100_000);

  await cover.process.stop();

  await waitFor('the text is back', async () => countColor(await terminal.screenshot(), 0) === before);
});

test('another font gives the window its cells', async () => {
  verifies('termprog.option.fn', 'termprog.resource.font');
  const script = `printf 'text of 9x15${HIDE_CURSOR}'; sleep 60`;
  await using reference = await startXterm(desktop, {
    script,
    args: ['-fn', '9x15', '-geometry', '40x5+600+0'],
  });
  await using terminal = await startTermprog(desktop, {
    script,
    args: ['-fn', '9x15', '-geometry', '40x5'],
  });

  await waitFor('both terminals show the same', async () => {
    const { inked, equal } = compareInk(await terminal.screenshot(), await reference.screenshot());
    return inked > 60 && equal === inked;
  });
});

test('negative offsets count from the right and the bottom', async () => {
  verifies(
    'termprog.option.geometry',
    'termprog.option.bw',
    'termprog.resource.geometry',
    'termprog.resource.borderWidth',
  );
  await using terminal = await startTermprog(desktop, {
    script: 'sleep 60',
    args: ['-geometry', '10x5-7-9', '-bw', '3'],
  });

  const shape = await desktop.run('xwininfo', '-id', `${terminal.window}`);

  expect(shape).toContain('-geometry 10x5-7-9');
  expect(shape).toContain('Border width: 3');
});

test('padding is as wide as asked for, and the window manager learns of a start as icon', async () => {
  verifies(
    'termprog.option.b',
    'termprog.option.iconic',
    'termprog.resource.internalBorder',
    'termprog.resource.iconic',
  );
  await using terminal = await startTermprog(desktop, {
    script: 'sleep 60',
    args: ['-b', '10', '-iconic', '-geometry', '10x5'],
  });

  expect(await desktop.run('xwininfo', '-id', `${terminal.window}`)).toContain(`Width: ${10 * 6 + 20}`);
  expect(await desktop.run('xprop', '-id', `${terminal.window}`, 'WM_HINTS')).toContain(
    'Initial state is Iconic State',
  );
});
