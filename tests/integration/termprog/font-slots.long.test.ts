import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { askManager, startWindowManager } from '../../harness/openbox.ts';
import {
  contentOf,
  type StartedTerminal,
  startTermprog,
  startXDesktop,
  startXterm,
} from '../../harness/start-termprog.ts';
import { sizeAfter, sizeOf } from '../../harness/window-size.ts';
import { compareInk, countColor } from './pixels.ts';

/** The reference terminal sometimes never draws its hollow cursor. */
const HIDE_CURSOR = '\\033[?25l';

const SCENE = [
  'plain text: The quick brown fox {[(0123456789)]} ~!@#$',
  'àéîõü ÄÖÜß ¿¡ ©®±µ¶·¸¹º»¼½¾ þÿ',
  '\\033[1mbold\\033[m \\033[4munder\\033[m \\033[7mreverse\\033[m \\033[1;4;7mall\\033[m \\033[9mstruck\\033[m',
  '\\033[31mred\\033[42m on green\\033[m \\033[1;34mbold blue\\033[m',
].join('\\r\\n');

/**
 * The scene without bold text: in cells of one pixel the reference terminal sometimes leaves parts of bold and struck
 * text in other cells.
 */
const UNREADABLE_SCENE = SCENE.split('\\r\\n')
  .filter((line) => !line.includes('bold'))
  .join('\\r\\n');

/**
 * The scene with wide characters: the server has a font of them for `fixed`; for others it scales a font without them,
 * to empty boxes.
 */
const WIDE_SCENE = `${SCENE}\\r\\n漢字 かな \\033[1m漢字\\033[m \\033[1;4;31m色\\033[m`;

for (const [entry, { font, scene }] of Object.entries({
  Default: { font: 'fixed', scene: WIDE_SCENE },
  Unreadable: { font: 'nil2', scene: UNREADABLE_SCENE },
  Tiny: { font: '5x7', scene: SCENE },
  Small: { font: '6x10', scene: SCENE },
  Medium: { font: '7x13', scene: SCENE },
  Large: { font: '9x15', scene: SCENE },
  Huge: { font: '10x20', scene: SCENE },
  Enormous: { font: '12x24', scene: SCENE },
})) {
  test(`the entry ${entry}: every inked pixel is the one xterm draws`, async ({ desktop }) => {
    const script = `printf %b '${scene}${HIDE_CURSOR}'; sleep 60`;
    const args = ['-fn', font];
    await using reference = await startXterm(desktop, { script, args: [...args, '-geometry', '56x8+0+500'] });
    await using terminal = await startTermprog(desktop, { script, args: [...args, '-geometry', '56x8'] });

    const compared = await waitFor('both terminals show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await reference.screenshot());
      return ink.inked > 60 && ink.equal === ink.inked ? ink : undefined;
    });

    expect(compared.equal).toBe(compared.inked);
  });
}

const lastLine = (file: string): string | undefined => contentOf(file).split('\n').at(-2);

test('another entry keeps columns and rows, and the child learns the size in pixels', async ({ desktop }) => {
  const file = desktop.newFile();
  const script =
    `stty raw -echo min 0 time 20; trap 'printf "\\033[14t\\033[16t"; dd bs=64 count=1 2>/dev/null >> ${file}; stty size >> ${file}' WINCH; ` +
    `printf ready > ${file}; while :; do sleep 0.02; done`;
  await using terminal = await startTermprog(desktop, { script });
  await waitFor('the child is ready', () => contentOf(file) === 'ready');

  expect(await sizeAfter(desktop, terminal, 'shift+KP_Add')).toBe('564x316');

  await waitFor('the child knows', () => contentOf(file).includes('24 80'));
  expect(contentOf(file)).toContain('ready\x1b[4;312;560t');
});

test('text that was printed in one entry is drawn in the next as if it had been printed there', async ({ desktop }) => {
  const script = `printf %b '${WIDE_SCENE}${HIDE_CURSOR}'; sleep 60`;
  await using terminal = await startTermprog(desktop, { script, args: ['-geometry', '56x8'] });
  await using fresh = await startTermprog(desktop, { script, args: ['-fn', '9x15', '-geometry', '56x8+0+500'] });
  await waitFor('the text is there', async () => countColor(await terminal.screenshot(), 0x00cd00) > 100);

  await sizeAfter(desktop, terminal, 'shift+KP_Add');
  await sizeAfter(desktop, terminal, 'shift+KP_Add');

  const compared = await waitFor('both show the same', async () => {
    const ink = compareInk(await terminal.screenshot(), await fresh.screenshot());
    return ink.inked > 1_000 && ink.equal === ink.inked ? ink : undefined;
  });
  expect(compared.equal).toBe(compared.inked);
});

test('a window manager that keeps a maximized window as it is has the last word: the grid follows', async () => {
  await using managed = await startXDesktop();
  await using _manager = await startWindowManager(managed);
  const file = managed.newFile();
  await using terminal = await startTermprog(managed, {
    script: `trap 'stty size >> ${file}' WINCH; stty size > ${file}; while :; do sleep 0.02; done`,
  });
  await waitFor('the child tells its size', () => lastLine(file) === '24 80');
  await managed.run('xdotool', 'windowactivate', '--sync', `${terminal.window}`);
  await managed.run('xdotool', 'key', 'shift+KP_Add');
  const hints = (): Promise<string> => managed.run('xprop', '-id', `${terminal.window}`, 'WM_NORMAL_HINTS');
  await waitFor('the window manager knows the cell', async () => (await hints()).includes('increment: 7 by 13'));
  expect(lastLine(file)).toBe('24 80');

  const states = ['_NET_WM_STATE_MAXIMIZED_HORZ', '_NET_WM_STATE_MAXIMIZED_VERT'];
  await askManager(managed.environment, terminal.window, '_NET_WM_STATE', [1, ...states]);
  await waitFor('the window is large', () => Number(lastLine(file)?.split(' ')[1]) > 150);
  const before = lastLine(file);
  await managed.run('xdotool', 'key', 'shift+KP_Add');

  await waitFor('the grid is that of larger cells', () => Number(lastLine(file)?.split(' ')[1]) < 150);
  expect(lastLine(file)).not.toBe(before);
  expect(terminal.process.output()).toBe('');
});

test('entries whose font the server lacks are left out, with one line each', async ({ desktop }) => {
  verifies('termprog.resource.font1-font7');
  await using terminal = await startTermprog(desktop, {
    args: ['-xrm', '*font4: no-such-font', '-xrm', '*font5: 8x16'],
    script: 'sleep 60',
  });

  expect(await sizeAfter(desktop, terminal, 'shift+KP_Add')).toBe('644x388');
  expect(await sizeAfter(desktop, terminal, 'shift+KP_Subtract')).toBe('484x316');
  expect(await sizeAfter(desktop, terminal, 'shift+KP_Add')).toBe('644x388');

  expect(terminal.process.output().match(/no-such-font/g)).toHaveLength(1);
  expect(terminal.process.output()).toContain(
    'resource vt100.font4: the X server has no font "no-such-font"; the entry Medium of the VT Fonts menu is left out',
  );
});

for (const [name, { font, resources }] of Object.entries({
  'a proportional font has cells of its widest character, each of which stands in the middle': {
    font: 'variable',
    resources: ['-xrm', '*forcePackedFont: false'],
  },
  'a font of two bytes is a font like others': {
    font: '-misc-fixed-medium-r-normal--15-140-75-75-c-90-iso10646-1',
    resources: [],
  },
})) {
  test(`${name}, as in xterm`, async ({ desktop }) => {
    const script = `printf %b 'iiii WWWW ll mm\\r\\nA quick fox 0123${HIDE_CURSOR}'; sleep 60`;
    const args = ['-fn', font];
    await using reference = await startXterm(desktop, {
      script,
      args: [...args, ...resources, '-geometry', '30x8+0+500'],
    });
    await using terminal = await startTermprog(desktop, { script, args: [...args, '-geometry', '30x8'] });

    expect(await sizeOf(desktop, terminal)).toBe(await sizeOf(desktop, reference));
    const compared = await waitFor('both terminals show the same', async () => {
      const ink = compareInk(await terminal.screenshot(), await reference.screenshot());
      return ink.inked > 60 && ink.equal === ink.inked ? ink : undefined;
    });
    expect(compared.equal).toBe(compared.inked);
  });
}

test('a font with cells of hundreds of pixels, and one of a single pixel, leave a terminal', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, {
    args: ['-fn', '-misc-fixed-medium-r-normal--700-0-75-75-c-0-iso8859-1', '-xrm', '*font1: nil2'],
    script: 'printf x; sleep 60',
  });
  const size = await sizeOf(desktop, terminal);
  expect(Number(size.split('x')[0])).toBeGreaterThan(20_000);

  expect(await sizeAfter(desktop, terminal, 'shift+KP_Subtract')).toBe('964x580');
});

test('bold wide text has the font that is named for it, the first of the chain that fits', async ({ desktop }) => {
  verifies('termprog.resource.wideBoldFont', 'termprog.option.fwb');
  const script = `printf %b '\\033[1m漢字\\033[m\\033[2;1H漢字${HIDE_CURSOR}'; sleep 60`;
  const chain = 'no-such-font,xft:Mono,7x13,-misc-fixed-bold-r-normal--13-94-100-100-c-120-iso10646-1';
  await using terminal = await startTermprog(desktop, { script, args: ['-fwb', chain, '-geometry', '20x4'] });
  await using plain = await startTermprog(desktop, { script, args: ['-geometry', '20x4+0+500'] });
  const rows = async (window: StartedTerminal): Promise<Buffer[]> => {
    const { data, width } = await window.screenshot();
    return [0, 1].map((row) => data.subarray((2 + 13 * row) * width * 4, (2 + 13 * (row + 1)) * width * 4));
  };
  const isBlank = (row: Buffer | undefined): boolean => row?.every((byte) => byte === 0xff) !== false;

  await waitFor('without it bold wide text is as light as other text', async () => {
    const [bold, light] = await rows(plain);
    return !isBlank(light) && light !== undefined && bold?.equals(light) === true;
  });
  await waitFor('with it bold wide text differs, and other text does not', async () => {
    const [bold, light] = await rows(terminal);
    const [, lightPlain] = await rows(plain);
    const isLightSame = lightPlain !== undefined && light?.equals(lightPlain) === true;
    return isLightSame && !isBlank(bold) && bold?.equals(light) === false;
  });
  expect(terminal.process.output()).toBe('');
});
