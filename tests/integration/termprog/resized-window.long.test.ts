import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IdleClock } from '../../../scripts/stack/idle-clock.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { restingPicture } from '../../harness/resting-picture.ts';
import { type StartedTerminal, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { startWrittenTerminal } from '../../harness/written-terminal.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

const MARKS = `source ${resolve('share/termprog/shell-integration/termprog.bash')}`;

const pixelsOf = async (terminal: StartedTerminal): Promise<string> =>
  (await terminal.screenshot()).data.toString('base64');

/**
 * A span in which the picture may not change, in milliseconds, and the share of it in which the programs must be idle.
 */
const REST_MS = 600;
const IDLE_SHARE = 0.9;

/** Requests a window with room for this many cells of the font `fixed`. */
const resize = ({ window }: StartedTerminal, [columns, rows]: readonly [number, number]): Promise<string> =>
  desktop.run('xdotool', 'windowsize', '--sync', `${window}`, `${4 + 6 * columns}`, `${4 + 13 * rows}`);

/** The name of the window's icon from when the shell has shown its prompt, and so reads keys by itself. */
const ASKED = 'asked';

/**
 * Waits until the shell has shown its prompt. Before that the kernel would echo what is typed, in front of a prompt that
 * the shell believes to begin its row.
 */
const isAsked = ({ window }: StartedTerminal, name = ASKED): Promise<unknown> =>
  waitFor('the shell shows its prompt', async () =>
    (await desktop.run('xprop', '-id', `${window}`, 'WM_ICON_NAME')).includes(`"${name}"`),
  );

const STEPS = [80, 70, 60, 50, 40, 50, 60, 70, 80];

for (const [what, prompt, input, steps, more] of [
  ['a command of three rows is widened', '$ ', `echo ${'a long word '.repeat(9)}`, [40, 100, 40], ''],
  ['a long prompt is made narrow in steps', 'user@host:~/a/folder/with/a/long/name/in/it $ ', 'make', STEPS, ''],
  ['a marked prompt is made narrow in steps', 'user@host:~/a/folder/with/a/name $ ', 'make all', STEPS, MARKS],
  [
    'a prompt of two lines is made narrow',
    'above the line\\n$ ',
    `echo ${'words '.repeat(12)}`,
    [90, 35, 50, 90],
    MARKS,
  ],
] as const) {
  test(`when ${what} and goes back, the window looks as before`, async () => {
    const file = startFile(prompt, more);
    const args = ['-geometry', `${steps[0]}x20+0+0`, '-e', 'bash', '--noprofile', '--rcfile', file, '-i'];
    await using terminal = await startTermprog(desktop, { args, environment: { TERM: undefined } });
    await isAsked(terminal);
    await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'type', '--delay', '2', input);
    const before = await restOf(terminal);
    for (const columns of steps.slice(1)) {
      await resize(terminal, [columns, 20]);
      await restOf(terminal);
    }
    await waitFor('it looks as before', async () => (await pixelsOf(terminal)) === before);
  });
}

for (const [how, inner, end] of [
  ['bash ends', `PS1='in> \\[\\e]1;inner\\a\\]'\n${MARKS}\n`, 'key'],
  ['bash is killed', `PS1='in> \\[\\e]1;inner\\a\\]'\n${MARKS}\n`, 'kill'],
  ['zsh ends', `PS1=$'in> %{\\e]1;inner\\a%}'\n${MARKS.replace('.bash', '.zsh')}\n`, 'key'],
] as const) {
  test(`when ${how} at a marked prompt, a resize erases nothing of what follows in a shell without marks`, async () => {
    const folder = desktop.newFile();
    mkdirSync(folder);
    writeFileSync(join(folder, '.zshrc'), `echo $$ > ${folder}/pid\n${inner}`);
    const outer = ['--noprofile', '--rcfile', startFile('$ ', ''), '-i'];
    await using terminal = await startTermprog(desktop, {
      args: ['-geometry', '80x20+0+0', '-e', 'bash', ...outer],
      environment: { TERM: undefined, HISTFILE: '/dev/null', ZDOTDIR: folder },
    });
    await isAsked(terminal);
    const send = (...keys: string[]): Promise<string> =>
      desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, ...keys);
    const command = how.startsWith('zsh') ? 'zsh' : `bash --rcfile ${folder}/.zshrc`;
    await send('type', '--delay', '2', `${command}\n`);
    await isAsked(terminal, 'inner');
    if (end === 'key') await send('key', 'ctrl+d');
    else process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
    await isAsked(terminal);
    await send('type', '--delay', '2', 'seq -s , 100 150\n');
    const before = await restOf(terminal);
    await resize(terminal, [60, 20]);
    await restOf(terminal);
    await resize(terminal, [80, 20]);
    await waitFor('it looks as before', async () => (await pixelsOf(terminal)) === before);
  });
}

/** Widths of a drag to the right and back, a few pixels at a time, and the time between two of them in seconds. */
const DRAGGED = [
  ...Array.from({ length: 40 }, (_, step) => 42 + 2 * step),
  ...Array.from({ length: 41 }, (_, step) => 120 - 2 * step),
];
const DRAG_STEP_S = '0.008';

const drag = ({ window }: StartedTerminal): Promise<string> => {
  const steps = DRAGGED.map((columns) => ['windowsize', `${window}`, `${4 + 6 * columns}`, `${4 + 13 * 20}`]);
  return desktop.run('xdotool', ...steps.flatMap((step) => [...step, 'sleep', DRAG_STEP_S]));
};

for (const [shell, args, prompt] of [
  ['bash', ['--noprofile', '--norc', '-i'], `\\[\\e]1;${ASKED}\\a\\]$ `],
  ['zsh', ['-f'], `%{\x1b]1;${ASKED}\x07%}$ `],
] as const) {
  test(`when the edge of a window with a command of three rows in ${shell} is dragged and comes back, it looks as before`, async () => {
    await using terminal = await startTermprog(desktop, {
      args: ['-geometry', '40x20+0+0', '-e', shell, ...args],
      environment: { TERM: undefined, PS1: prompt, HOME: desktop.folder, HISTFILE: '/dev/null' },
    });
    await isAsked(terminal);
    const type = (text: string): Promise<string> =>
      desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'type', '--delay', '2', text);
    await type('echo earlier output; echo the last line of it\n');
    await restOf(terminal);
    await type(`echo ${'a long word '.repeat(9)}`);
    const before = await restOf(terminal);
    await drag(terminal);
    await waitFor('it looks as before', async () => (await pixelsOf(terminal)) === before);
  });
}

test('a program that edits lines receives the next size when it has answered the last one, or half a second later', async () => {
  const file = desktop.newFile();
  // It never answers. A program of its own reports the sizes, so that each is recorded.
  const script = `stty raw -echo; trap 'stty size >> ${file}' WINCH; while :; do read -r -t 0.001 line; done`;
  await using terminal = await startTermprog(desktop, {
    args: ['-geometry', '40x20+0+0', '-e', 'bash', '-c', `: > ${file}; ${script}`],
  });
  await waitFor('the program runs', () => existsSync(file));
  const startMs = performance.now();
  await drag(terminal);
  await waitFor('it is told the last size', () => readFileSync(file, 'utf8').endsWith('20 40\n'));
  const told = readFileSync(file, 'utf8').trim().split('\n');
  // The first size is reported at once.
  expect(told.length).toBeGreaterThan(1);
  expect(told.length).toBeLessThanOrEqual(2 + (performance.now() - startMs) / 490);
});

test('a font that is chosen while the next size waits leaves the window room for that size', async () => {
  const file = desktop.newFile();
  // It never answers a size, so that the next one waits.
  const script = `stty raw -echo; trap 'stty size >> ${file}' WINCH; while :; do read -r -t 0.001 line; done`;
  const translations = '*translations: #override Ctrl<Key>f: set-vt-font(2)';
  await using terminal = await startTermprog(desktop, {
    args: [
      ...['-geometry', '40x20+0+0', '-xrm', translations, '-xrm', '*font2: 5x7'],
      ...['-e', 'bash', '-c', `: > ${file}; ${script}`],
    ],
  });
  await waitFor('the program runs', () => existsSync(file));
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await resize(terminal, [60, 20]);
  await waitFor('it is told the first size', () => readFileSync(file, 'utf8').includes('20 60\n'));
  await resize(terminal, [100, 30]);
  await desktop.run('xdotool', 'key', 'ctrl+f');
  await waitFor('the window has room for the second size in the other font', async () =>
    (await desktop.run('xdotool', 'getwindowgeometry', `${terminal.window}`)).includes('Geometry: 504x214'),
  );
  await waitFor('the program knows', () => readFileSync(file, 'utf8').endsWith('30 100\n'));
});

for (const [which, history, isLong] of [
  ['the same lines of the history', 1_024, false],
  ['the oldest lines of a full history', 150, true],
] as const) {
  test(`the window keeps showing ${which} when it gets another size`, async () => {
    await using written = await startWrittenTerminal(desktop, {
      args: ['-geometry', '60x12+0+0', '-sl', `${history}`],
    });
    const { terminal, write } = written;
    const ending = isLong ? ` ${'and so on '.repeat(9)}` : '';
    await write(
      Array.from({ length: 200 }, (_, line) => `${'x'.repeat(line % 7)} line ${line} of the text${ending}\r\n`).join(
        '',
      ),
    );
    await desktop.run(
      'xdotool',
      'mousemove',
      '60',
      '60',
      'click',
      '--repeat',
      isLong ? '50' : '8',
      '--delay',
      '1',
      '4',
    );
    const topOf = async (): Promise<string> => {
      const { data, width } = await terminal.screenshot();
      // Rows of text that the narrowest window shows in the same way.
      return Array.from({ length: isLong ? 13 : 26 }, (_, y) =>
        data.subarray(4 * (y + 2) * width, 4 * ((y + 2) * width + 2 + 6 * 30)).toString('base64'),
      ).join();
    };
    let before = '';
    await waitFor('the view rests in the history', async () => {
      const last = before;
      before = await topOf();
      return before === last;
    });
    for (const size of [
      [30, 12],
      [80, 20],
      [60, 5],
      [45, 12],
    ] as const) {
      await resize(terminal, size);
      await waitFor(`the same lines are shown in ${size[0]} columns`, async () => (await topOf()) === before);
    }
  });
}

/** Letters whose ink lies in the cells beside their own: coverage for each colour, and letters that lean. */
const JOINED = ['-fa', 'DejaVu Sans Mono:rgba=rgb', '-fs', '8'];

test('a window of outline text shows after each resize what it shows when all is drawn anew', async () => {
  await using written = await startWrittenTerminal(desktop, { args: ['-geometry', '60x20+0+0', ...JOINED] });
  const { terminal, write } = written;
  await write(
    Array.from(
      { length: 40 },
      (_, line) => `\r\n\x1b[${[0, 1, 3][line % 3]}m${'mjwMfT'.repeat(14).slice(line % 6)}`,
    ).join(''),
  );
  await desktop.run('xdotool', 'mousemove', '150', '100');
  for (const [width, height] of [
    [360, 200],
    [210, 356],
    [500, 300],
    [301, 211],
    [275, 190],
  ] as const) {
    await desktop.run('xdotool', 'windowsize', '--sync', `${terminal.window}`, `${width}`, `${height}`);
    const shown = await restingPicture(terminal);
    await desktop.run('xdotool', 'windowunmap', '--sync', `${terminal.window}`, 'windowmap', `${terminal.window}`);
    const anew = await restingPicture(terminal);
    expect(shown.data.equals(anew.data), `${width}x${height}`).toBe(true);
  }
});

/**
 * Returns the picture when terminal and shell have no work left: the shell may begin to draw long after the window
 * shows.
 */
function restOf(terminal: StartedTerminal): Promise<string> {
  return waitFor('terminal and shell rest', async () => {
    const before = await pixelsOf(terminal);
    const clock = new IdleClock();
    await delay(REST_MS);
    const isIdle = clock.read().idleMs > IDLE_SHARE * REST_MS;
    return isIdle && (await pixelsOf(terminal)) === before && before;
  });
}

/** Writes a start file of bash. */
function startFile(prompt: string, more: string): string {
  const file = desktop.newFile();
  writeFileSync(
    file,
    `PS1='${prompt}\\[\\e]1;${ASKED}\\a\\]'\n${more}\necho earlier output; echo the last line of it\n`,
  );
  return file;
}
