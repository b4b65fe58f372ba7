import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, type StartedTerminal, spawnTermprog, startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

const RED = 0xcd0000;
const BRIGHT_RED = 0xff0000;

/** A block of eight cells in the first colour. */
const redBlock = "printf '\\033[41m        \\033[m'";

/** Pixels of a cell of `fixed`. */
const CELL_PIXELS = 6 * 13;

const pixelsOf = async (terminal: StartedTerminal, color: number): Promise<number> =>
  countColor(await terminal.screenshot(), color);

test('saveLines is the length of the history', async ({ desktop }) => {
  verifies('termprog.resource.saveLines', 'termprog.option.sl');
  const script = `${redBlock}; seq 1 60; printf '\\033[42m        \\033[m'; sleep 60`;
  await using terminal = await startTermprog(desktop, { args: ['-sl', '20'], script });
  const green = 0x00cd00;
  await waitFor('the last line shows', async () => (await pixelsOf(terminal, green)) > 100);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await desktop.run('xdotool', 'key', ...Array.from({ length: 8 }, () => 'shift+Prior'));

  await waitFor('older lines show', async () => (await pixelsOf(terminal, green)) === 0);
  expect(await pixelsOf(terminal, RED)).toBe(0);
});

test('with saveLines 0 there are no lines to go back to', async ({ desktop }) => {
  verifies('termprog.resource.saveLines', 'termprog.limit.saveLines');
  const file = desktop.newFile();
  const script = `stty raw -echo; seq 1 60; ${redBlock}; : > ${file}; dd bs=1 count=1 2>/dev/null; printf '\\r\\033[42m        \\033[m'; sleep 60`;
  // A view that had gone back would stay there, and not show what is written at the bottom.
  await using terminal = await startTermprog(desktop, { args: ['-sl', '0', '-si'], script });
  await waitFor('the last line shows', async () => (await pixelsOf(terminal, RED)) > 100);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await desktop.run('xdotool', 'key', 'shift+Prior', 'shift+Prior', 'x');

  await waitFor('what is written shows', async () => (await pixelsOf(terminal, 0x00cd00)) > 100);
});

for (const [args, column] of [
  [[], 8],
  [['-xrm', '*graphemeWidth: legacy'], 8],
  [['-xrm', '*graphemeWidth: unicode'], 6],
] as const) {
  test(`with "${args.join(' ')}" an emoji with a skin tone and a flag end before column ${column}`, async ({
    desktop,
  }) => {
    verifies('termprog.resource.graphemeWidth');
    const file = desktop.newFile();
    const script = `stty raw -echo; printf '👍🏽🇩🇪x\\033[6n'; dd bs=1 count=6 of=${file} 2>/dev/null; sleep 60`;
    await using terminal = await startTermprog(desktop, { args: [...args], script });
    await waitFor('the place is told', () => contentOf(file).endsWith('R'), {
      process: terminal.process,
    });
    expect(contentOf(file)).toBe(`\x1b[1;${column}R`);
  });
}

test('the history has 1024 lines without being asked to, and no more', async ({ desktop }) => {
  verifies('termprog.limit.saveLines');
  // All lines that are kept or on the screen, without the red one and the green one.
  const numbered = 1_024 + 24 - 2;
  const script = `printf '\\033[44m        \\033[m\\n'; ${redBlock}; echo; seq 1 ${numbered}; printf '\\033[42m        \\033[m'; sleep 60`;
  await using terminal = await startTermprog(desktop, {
    script,
    args: ['-xrm', '*vt100.translations: #override \\n <Key>F5: scroll-back(100,page)'],
  });
  await waitFor('the last line shows', async () => (await pixelsOf(terminal, 0x00cd00)) > 100);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await desktop.run('xdotool', 'key', 'F5');

  await waitFor('the oldest line shows', async () => (await pixelsOf(terminal, RED)) > 100);
  expect(await pixelsOf(terminal, 0x0000ee)).toBe(0);
});

test('Shift with Next goes forward again', async ({ desktop }) => {
  verifies('termprog.translation.Shift-KeyPress-Next', 'termprog.action.scroll-forw');
  // A key that goes to the child would come back as output, which goes to the newest line, too.
  await using terminal = await startTermprog(desktop, { script: `stty -echo; seq 1 200; ${redBlock}; sleep 60` });
  await waitFor('the last line shows', async () => (await pixelsOf(terminal, RED)) > 100);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'shift+Prior');
  await waitFor('it is out of sight', async () => (await pixelsOf(terminal, RED)) === 0);

  await desktop.run('xdotool', 'key', 'shift+Next');

  await waitFor('it is back', async () => (await pixelsOf(terminal, RED)) > 100);
});

test('the wheel scrolls back by five lines, and forward again', async ({ desktop }) => {
  verifies('termprog.translation.Btn4Down', 'termprog.translation.Btn5Down');
  await using terminal = await startTermprog(desktop, {
    script: `seq 1 200; ${redBlock}; printf '\\n1\\n2\\n3'; sleep 60`,
  });
  await waitFor('the line shows', async () => (await pixelsOf(terminal, RED)) > 100);
  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '100', '20');

  await desktop.run('xdotool', 'click', '4');
  await waitFor('it is out of sight', async () => (await pixelsOf(terminal, RED)) === 0);
  await desktop.run('xdotool', 'click', '5');

  await waitFor('it is back', async () => (await pixelsOf(terminal, RED)) > 100);
});

test('the wheel with Control scrolls back by half a page, and forward again', async ({ desktop }) => {
  verifies('termprog.translation.Ctrl-Btn4Down', 'termprog.translation.Ctrl-Btn5Down');
  // Five lines back it would still be there; five lines forward after half a page it would not.
  const script = `seq 1 200; ${redBlock}; printf '\\n1\\n2\\n3\\n4\\n5\\n6'; sleep 60`;
  await using terminal = await startTermprog(desktop, { script });
  await waitFor('the line shows', async () => (await pixelsOf(terminal, RED)) > 100);
  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '100', '20');

  await desktop.run('xdotool', 'keydown', 'ctrl', 'click', '4', 'keyup', 'ctrl');
  await waitFor('it is out of sight', async () => (await pixelsOf(terminal, RED)) === 0);
  await desktop.run('xdotool', 'keydown', 'ctrl', 'click', '5', 'keyup', 'ctrl');

  await waitFor('it is back', async () => (await pixelsOf(terminal, RED)) > 100);
});

test('output leaves the view where it is when asked to', async ({ desktop }) => {
  verifies('termprog.resource.scrollTtyOutput', 'termprog.option.si');
  const [go, done] = [desktop.newFile(), desktop.newFile()];
  const script = `seq 1 200; ${redBlock}; while [ ! -e ${go} ]; do sleep 0.05; done; seq 1 3; echo > ${done}; sleep 60`;
  await using terminal = await startTermprog(desktop, { args: ['-si'], script });
  await waitFor('the last line shows', async () => (await pixelsOf(terminal, RED)) > 100);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'shift+Prior');
  await waitFor('it is out of sight', async () => (await pixelsOf(terminal, RED)) === 0);

  writeFileSync(go, '');

  await waitFor('there was output', () => existsSync(done));
  // The frames that follow output are drawn within this time, which is several frames long.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await pixelsOf(terminal, RED)).toBe(0);
});

test('a key returns to the newest line when asked to', async ({ desktop }) => {
  verifies('termprog.resource.scrollKey', 'termprog.option.sk');
  await using terminal = await startTermprog(desktop, {
    args: ['-sk'],
    script: `stty -echo; seq 1 200; ${redBlock}; sleep 60`,
  });
  await waitFor('the last line shows', async () => (await pixelsOf(terminal, RED)) > 100);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'shift+Prior');
  await waitFor('it is out of sight', async () => (await pixelsOf(terminal, RED)) === 0);

  await desktop.run('xdotool', 'key', 'x');

  await waitFor('it is back', async () => (await pixelsOf(terminal, RED)) > 100);
});

test('an underline cursor is a line', async ({ desktop }) => {
  verifies('termprog.resource.cursorUnderLine', 'termprog.option.uc');
  await using terminal = await startTermprog(desktop, { args: ['-uc', '-ah', '-cr', 'red'], script: 'sleep 60' });

  await waitFor('a part of a cell is red', async () => isPartOfCell(await pixelsOf(terminal, BRIGHT_RED)));
});

test('a bar cursor is a line', async ({ desktop }) => {
  verifies('termprog.resource.cursorBar', 'termprog.option.barc');
  await using terminal = await startTermprog(desktop, { args: ['-barc', '-ah', '-cr', 'red'], script: 'sleep 60' });

  await waitFor('a part of a cell is red', async () => isPartOfCell(await pixelsOf(terminal, BRIGHT_RED)));
});

const isPartOfCell = (pixels: number): boolean => pixels > 0 && pixels < CELL_PIXELS / 2;

test('bold text keeps its colour when asked to', async ({ desktop }) => {
  verifies('termprog.resource.boldColors', 'termprog.option.pc');
  await using terminal = await startTermprog(desktop, {
    args: ['+pc'],
    script: "printf '\\033[1;31mbold text in red\\033[m'; sleep 60",
  });

  await waitFor('there is red text', async () => (await pixelsOf(terminal, RED)) > 40);
  expect(await pixelsOf(terminal, BRIGHT_RED)).toBe(0);
});

test('the entries of the palette are those of the resources', async ({ desktop }) => {
  verifies('termprog.resource.color0-color15');
  await using terminal = await startTermprog(desktop, {
    args: ['-xrm', '*color1: #102030', '-xrm', '*color15: #304050'],
    script: `${redBlock}; printf '\\033[107m        \\033[m'; sleep 60`,
  });

  await waitFor('the first is there', async () => (await pixelsOf(terminal, 0x102030)) === 8 * CELL_PIXELS);
  expect(await pixelsOf(terminal, 0x304050)).toBe(8 * CELL_PIXELS);
});

test('without resources the palette is that of the reference terminal', async ({ desktop }) => {
  verifies(
    'termprog.palette.color0',
    'termprog.palette.color1',
    'termprog.palette.color2',
    'termprog.palette.color3',
    'termprog.palette.color4',
    'termprog.palette.color5',
    'termprog.palette.color6',
    'termprog.palette.color7',
    'termprog.palette.color8',
    'termprog.palette.color9',
    'termprog.palette.color10',
    'termprog.palette.color11',
    'termprog.palette.color12',
    'termprog.palette.color13',
    'termprog.palette.color14',
    'termprog.palette.color15',
  );
  const blocks = Array.from({ length: 16 }, (_, entry) => `\\033[48;5;${entry}m    `).join('');
  await using terminal = await startTermprog(desktop, {
    args: ['-bg', '#123456', '-fg', '#654321'],
    script: `printf '\\033[?25l${blocks}\\033[m'; sleep 60`,
  });
  const palette = [
    [0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5],
    [0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff],
  ].flat();

  const picture = await waitFor('the last one shows', async () => {
    const shot = await terminal.screenshot();
    return countColor(shot, 0xffffff) > 0 ? shot : undefined;
  });

  expect(palette.map((color) => countColor(picture, color))).toEqual(palette.map(() => 4 * CELL_PIXELS));
});

test('the title is the configured one', async ({ desktop }) => {
  verifies('termprog.resource.title', 'termprog.option.title');
  await using terminal = await startTermprog(desktop, { script: 'sleep 60' });

  // The window was found by the requested title.
  expect(await desktop.run('xprop', '-id', `${terminal.window}`, 'WM_NAME')).toMatch(/"terminal \d+"/);
});

test('the name of the icon is the configured one', async ({ desktop }) => {
  verifies('termprog.resource.iconName', 'termprog.option.n');
  await using terminal = await startTermprog(desktop, { args: ['-n', 'small'], script: 'sleep 60' });

  expect(await desktop.run('xprop', '-id', `${terminal.window}`, 'WM_ICON_NAME')).toContain('"small"');
});

test('titles are written in the old properties alone when asked to', async ({ desktop }) => {
  verifies('termprog.resource.utf8Title');
  await using terminal = await startTermprog(desktop, { args: ['-xrm', '*utf8Title: false'], script: 'sleep 60' });

  const properties = await desktop.run('xprop', '-id', `${terminal.window}`);

  expect(properties).toContain('WM_NAME(STRING)');
  expect(properties).not.toContain('_NET_WM_NAME(');
});

test('ENQ is answered with the answerback', async ({ desktop }) => {
  verifies('termprog.resource.answerbackString');
  const file = desktop.newFile();
  await using _terminal = await startTermprog(desktop, {
    args: ['-xrm', '*answerbackString: it is me'],
    script: `stty raw -echo; printf '\\005'; dd bs=1 count=8 of=${file} 2>/dev/null; sleep 60`,
  });

  await waitFor('the answer is there', () => contentOf(file) === 'it is me');
});

test('a login shell is started as such', async ({ desktop }) => {
  verifies('termprog.resource.loginShell', 'termprog.option.ls');
  const file = desktop.newFile();
  writeFileSync(join(desktop.folder, '.bash_profile'), `echo login > ${file}\n`);
  await using _terminal = await startTermprog(desktop, {
    args: ['-ls'],
    environment: { SHELL: '/bin/bash', HOME: desktop.folder },
  });

  await waitFor('its profile was read', () => contentOf(file) === 'login\n');
});

test('the window manager learns the place of the icon', async ({ desktop }) => {
  verifies('termprog.resource.iconGeometry', 'termprog.option.number-sign');
  await using terminal = await startTermprog(desktop, { args: ['#+12+34'], script: 'sleep 60' });

  expect(await desktop.run('xprop', '-id', `${terminal.window}`, 'WM_HINTS')).toContain(
    'starting position for icon: 12, 34',
  );
});

test('the configuration is printed when asked for', async ({ desktop }) => {
  verifies('termprog.resource.reportConfig', 'termprog.option.report-config');
  const reporting = spawnTermprog(['-report-config', '-sl', '77'], desktop.environment);

  expect((await reporting.ended).exitCode).toBe(0);
  expect(reporting.output()).toContain('term.vt100.saveLines: 77\n');
});

test('messages below the level asked for are not written', async ({ desktop }) => {
  verifies('termprog.resource.logLevel', 'termprog.option.log');
  const args = ['-fn', 'no-such-font'];
  await using silent = await startTermprog(desktop, { args: ['-log', 'error', ...args], script: 'sleep 60' });
  await using telling = await startTermprog(desktop, { args, script: 'sleep 60' });

  await waitFor('one of them tells', () => telling.process.output().includes('no-such-font'));
  expect(silent.process.output()).toBe('');
});
