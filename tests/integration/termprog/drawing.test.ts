import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import {
  type StartedTerminal,
  startTermprog,
  startXDesktop,
  startXterm,
  type XDesktop,
} from '../../harness/start-termprog.ts';
import { compareInk, countColor } from './pixels.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

const colors = [0, 1, 2, 3, 4, 5, 6, 7];

/** What `printf %b` prints in both terminals. */
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
  'wide characters': '漢字 かな カナ \\033[4m下線\\033[m \\033[7m反転\\033[m \\033[44;33m色\\033[m',
  'combining characters': 'e\u0301 a\u0308 n\u0303 plain',
  'blinking and hidden text': '\\033[5mblink\\033[m \\033[8mhidden\\033[m after',
  'reverse screen areas': '\\033[7m   \\033[42m   \\033[m \\033[7;1;31mred\\033[m',
  'the alternate screen': 'first\\033[?1049h\\033[Hsecond\\033[3;3Hthird',
  'a cursor in the middle of text': 'some text\\033[1;4H',
};

for (const [scene, text] of Object.entries(scenes)) {
  test(`${scene}: every inked pixel is the one xterm draws`, async () => {
    const script = `printf %b '${text.replaceAll("'", "'\\''")}'; sleep 60`;
    await using reference = await startXterm(desktop, { script, args: ['-geometry', '+600+0'] });
    await using terminal = await startTermprog(desktop, { script });

    const compared = await waitFor('both terminals show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await reference.screenshot());
      return ink.inked > 60 && ink.equal === ink.inked ? ink : undefined;
    });

    expect(compared.equal).toBe(compared.inked);
  });
}

test('the window has the size of 80 columns and 24 rows of `fixed` and the padding', async () => {
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
  await using terminal = await startTermprog(desktop, {
    args: ['-bg', '#102030', '-fg', 'rgb:ff/00/80'],
    script: 'echo hello; sleep 60',
  });

  await waitFor('text has the foreground', async () => countColor(await terminal.screenshot(), 0xff0080) > 40);
  expect(countColor(await terminal.screenshot(), 0x102030)).toBeGreaterThan(100_000);
});

test('reverse video swaps the default colours', async () => {
  await using terminal = await startTermprog(desktop, { args: ['-rv'], script: 'echo hello; sleep 60' });

  await waitFor('text is white', async () => countColor(await terminal.screenshot(), 0xffffff) > 40);
  expect(countColor(await terminal.screenshot(), 0)).toBeGreaterThan(100_000);
});

test('always highlighting fills the cursor without focus', async () => {
  await using terminal = await startTermprog(desktop, { args: ['-ah', '-cr', 'red'], script: 'sleep 60' });

  await waitFor(
    'the cursor is a filled cell',
    async () => countColor(await terminal.screenshot(), 0xff0000) === 6 * 13,
  );
});

test('what was damaged is painted again', async () => {
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

test('a wide character drawn in bold is struck twice', async () => {
  const inkOf = async (terminal: StartedTerminal): Promise<number> => countColor(await terminal.screenshot(), 0);
  await using plain = await startTermprog(desktop, { script: "printf '漢字漢字'; sleep 60" });
  await using bold = await startTermprog(desktop, {
    script: "printf '\\033[1m漢字漢字'; sleep 60",
    args: ['-geometry', '+600+0'],
  });
  await waitFor('both have ink', async () => (await inkOf(plain)) > 150 && (await inkOf(bold)) > 150);

  expect(await inkOf(bold)).toBeGreaterThan((await inkOf(plain)) + 30);
});

test('another font gives the window its cells', async () => {
  await using reference = await startXterm(desktop, {
    script: 'echo 9x15; sleep 60',
    args: ['-fn', '9x15', '-geometry', '40x5+600+0'],
  });
  await using terminal = await startTermprog(desktop, {
    script: 'echo 9x15; sleep 60',
    args: ['-fn', '9x15', '-geometry', '40x5'],
  });

  await waitFor('both terminals show the same', async () => {
    const { inked, equal } = compareInk(await terminal.screenshot(), await reference.screenshot());
    return inked > 60 && equal === inked;
  });
});

test('a font that is not there is told of, and `fixed` takes its place', async () => {
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: ['-fn', 'no-such-font'] });

  const { width } = await terminal.screenshot();

  expect(width).toBe(484);
  expect(terminal.process.output()).toContain('the X server has no font "no-such-font"; "fixed" is used');
});

test('negative offsets count from the right and the bottom', async () => {
  await using terminal = await startTermprog(desktop, {
    script: 'sleep 60',
    args: ['-geometry', '10x5-7-9', '-bw', '3'],
  });

  const shape = await desktop.run('xwininfo', '-id', `${terminal.window}`);

  expect(shape).toContain('-geometry 10x5-7-9');
  expect(shape).toContain('Border width: 3');
});

test('padding is as wide as asked for, and a start as icon is told to the window manager', async () => {
  await using terminal = await startTermprog(desktop, {
    script: 'sleep 60',
    args: ['-b', '10', '-iconic', '-geometry', '10x5'],
  });

  expect(await desktop.run('xwininfo', '-id', `${terminal.window}`)).toContain(`Width: ${10 * 6 + 20}`);
  expect(await desktop.run('xprop', '-id', `${terminal.window}`, 'WM_HINTS')).toContain(
    'Initial state is Iconic State',
  );
});
