import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
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

/** A span in which nothing may change, in milliseconds, and the share of it in which the programs must be idle. */
const REST_MS = 600;
const IDLE_SHARE = 0.9;

/** The picture when terminal and shell have nothing left to do: the shell may begin to draw long after the window shows. */
function restOf(terminal: StartedTerminal): Promise<string> {
  return waitFor('terminal and shell rest', async () => {
    const before = await pixelsOf(terminal);
    const clock = new IdleClock();
    await delay(REST_MS);
    const isIdle = clock.read() > IDLE_SHARE * REST_MS;
    return isIdle && (await pixelsOf(terminal)) === before && before;
  });
}

/** Asks the server for a window with room for so many cells of the font `fixed`. */
const resize = ({ window }: StartedTerminal, [columns, rows]: readonly [number, number]): Promise<string> =>
  desktop.run('xdotool', 'windowsize', '--sync', `${window}`, `${4 + 6 * columns}`, `${4 + 13 * rows}`);

/** What the start file of bash makes when the shell is about to show its prompt. */
const promptMark = (startFile: string): string => `${startFile}.asked`;

/** A start file of bash; the answer to the question at its end types the input. */
function startFile(prompt: string, input: string, more: string): string {
  const file = desktop.newFile();
  writeFileSync(
    file,
    `PS1='${prompt}'\nPROMPT_COMMAND=': > ${promptMark(file)}'\n${more}\nbind '"\\e[0n": "${input}"'\necho earlier output; echo the last line of it\nprintf '\\e[5n'\n`,
  );
  return file;
}

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
    const file = startFile(prompt, input, more);
    const args = ['-geometry', `${steps[0]}x20+0+0`, '-e', 'bash', '--noprofile', '--rcfile', file, '-i'];
    await using terminal = await startTermprog(desktop, { args, environment: { TERM: undefined } });
    // On a busy machine all may rest before the shell has begun.
    await waitFor('the shell shows its prompt', () => existsSync(promptMark(file)));
    const before = await restOf(terminal);
    for (const columns of steps.slice(1)) {
      await resize(terminal, [columns, 20]);
      await restOf(terminal);
    }
    await waitFor('it looks as before', async () => (await pixelsOf(terminal)) === before);
  });
}

test('the window keeps showing the same lines of the history when it gets another size', async () => {
  await using written = await startWrittenTerminal(desktop, { args: ['-geometry', '60x12+0+0'] });
  const { terminal, write } = written;
  await write(
    Array.from({ length: 200 }, (_, line) => `${'x'.repeat(line % 7)} line ${line} of the text\r\n`).join(''),
  );
  await desktop.run('xdotool', 'mousemove', '60', '60', 'click', '--repeat', '8', '4');
  const topOf = async (): Promise<string> => {
    const { data, width } = await terminal.screenshot();
    // Two rows of text, as wide as the narrowest window.
    return Array.from({ length: 26 }, (_, y) =>
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
