import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { PNG } from 'pngjs';
import { expect, onTestFinished, vi } from 'vitest';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { screenshotWindow } from '../../../scripts/stack/screenshot.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { LiveOptions } from '../../../src/termprog/options/live-options.ts';
import type { LiveName } from '../../../src/termprog/options/option-types.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { type InProcessTerminal, openInProcess } from '../../harness/open-in-process.ts';
import { ATOMS } from '../../harness/selection-peer.ts';
import { startCompositor } from '../../harness/start-compositor.ts';
import { contentOf } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

const proved = new Set<string>();

/** Shell that waits until a file is there. */
const waiting = (file: string): string => `while [ ! -e ${file} ]; do sleep 0.02; done`;

/** Waits until more than `least` pixels of the window have a colour. */
const shows = (terminal: InProcessTerminal, color: number, least = 20): Promise<unknown> =>
  waitFor(`#${color.toString(16)} shows`, async () => countColor(await terminal.screenshot(), color) > least);

const hides = (terminal: InProcessTerminal, color: number): Promise<unknown> =>
  waitFor(`#${color.toString(16)} is gone`, async () => countColor(await terminal.screenshot(), color) === 0);

/** Changes a value and remembers that the test has seen what that does. */
function set<Name extends LiveName>(options: LiveOptions, name: Name, value: Parameters<typeof options.set<Name>>[1]) {
  proved.add(name);
  options.set(name, value);
}

test('the colours of text, of the background and of the palette change what is shown already', async ({ desktop }) => {
  const blocks = Array.from({ length: 16 }, (_, index) => `\\033[48;5;${index}m    `).join('');
  await using terminal = await openInProcess(desktop, { script: `printf '${blocks}\\033[m text'; sleep 60` });
  await shows(terminal, 0xcd0000);

  set(terminal.options, 'foreground', '#012345');
  set(terminal.options, 'background', '#fedcba');
  for (let index = 0; index < 16; index += 1) set(terminal.options, `color${index}`, `rgb:${10 + index}/00/7f`);

  await shows(terminal, 0x012345);
  await shows(terminal, 0xfedcba, 100_000);
  for (let index = 0; index < 16; index += 1) {
    await shows(terminal, (Number.parseInt(`${10 + index}`, 16) << 16) | 0x7f, 200);
  }
  await hides(terminal, 0xcd0000);
  await hides(terminal, 0xffffff);
  // Rows of a family are one row with a number.
  for (const { name } of termprogResources) if (/^color\d+$/.test(name)) proved.add(name);
});

test('the scrollbar comes and goes: the number of cells stays, and the window changes its size', async ({
  desktop,
}) => {
  const file = desktop.newFile();
  const script = `seq 1 100; while :; do stty size > ${file}.new; mv ${file}.new ${file}; sleep 0.05; done`;
  await using terminal = await openInProcess(desktop, { script });
  await waitFor('the size is told', () => contentOf(file) === '24 80\n');
  const widthBecomes = (width: number): Promise<unknown> =>
    waitFor(`the window is ${width} pixels wide`, async () => (await terminal.screenshot()).width === width);
  const text = 80 * 6 + 4;
  await widthBecomes(text);
  const without = await waitFor('all lines are drawn', async () => {
    const [before] = [await terminal.screenshot(), await delay(300)];
    const after = await terminal.screenshot();
    return after.data.equals(before.data) && after;
  });

  set(terminal.options, 'scrollBar', true);
  await widthBecomes(text + 15);
  await waitFor('the thumb shows', async () => {
    const { data, width } = await terminal.screenshot();
    return [0, 1].some((x) => data[4 * (300 * width + 4 + x)] === 0);
  });
  set(terminal.options, 'scrollBar', false);
  await widthBecomes(text);

  await waitFor('all is as it was', async () => (await terminal.screenshot()).data.equals(without.data));
  expect(contentOf(file)).toBe('24 80\n');
});

test('an unknown colour is reported, and the default is used', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { script: "printf '\\033[31mred'; sleep 60" });
  await shows(terminal, 0xcd0000, 5);
  terminal.options.set('color1', '#00ff00');
  await shows(terminal, 0x00ff00, 5);
  terminal.options.set('color1', 'no such colour');
  await shows(terminal, 0xcd0000, 5);
  expect(terminal.lines.filter((line) => line.includes('"no such colour"'))).toHaveLength(1);
});

test('when colours change faster than the server answers, the last ones count', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { script: 'sleep 60' });
  for (const name of ['red', 'green', 'blue', 'gold']) terminal.options.set('background', name);
  await shows(terminal, 0xffd700, 100_000);
});

test('reverse video swaps the colours of what is shown, and the screen’s own reversal undoes it', async ({
  desktop,
}) => {
  const file = desktop.newFile();
  const script = `${waiting(file)}; printf '\\033[?5h'; sleep 60`;
  await using terminal = await openInProcess(desktop, { resources: ['*background: #fedcba'], script });
  await shows(terminal, 0xfedcba, 100_000);
  set(terminal.options, 'reverseVideo', true);
  await shows(terminal, 0x000000, 100_000);
  writeFileSync(file, '');
  await shows(terminal, 0xfedcba, 100_000);
});

test('bold text goes back to its own colour', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { script: "printf '\\033[1;31mbold red'; sleep 60" });
  await shows(terminal, 0xff0000);
  set(terminal.options, 'boldColors', false);
  await shows(terminal, 0xcd0000);
  await hides(terminal, 0xff0000);
});

test('the cursor takes another colour, and is filled without the focus', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { script: 'sleep 60' });
  set(terminal.options, 'cursorColor', '#ff8800');
  await shows(terminal, 0xff8800, 30);
  expect(countColor(await terminal.screenshot(), 0xff8800)).toBeLessThan(78);
  set(terminal.options, 'alwaysHighlight', true);
  await shows(terminal, 0xff8800, 77);
});

test('with bitmap fonts, procedural glyphs are drawn whether they are forced or not', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { script: "printf '\\033[31m─┼═⣿🬗◢'; sleep 60" });
  await shows(terminal, 0xcd0000);
  const before = await terminal.screenshot();
  set(terminal.options, 'forceBoxChars', true);
  // Once another colour shows, all has been drawn anew.
  terminal.options.set('color1', '#123456');
  await shows(terminal, 0x123456);
  expect(countColor(await terminal.screenshot(), 0x123456)).toBe(countColor(before, 0xcd0000));
});

test('the border takes another colour', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { resources: ['*borderWidth: 9'], script: 'sleep 60' });
  const { root } = terminal.connection.screen;
  set(terminal.options, 'borderColor', '#11cc22');
  await waitFor('the border shows', async () => {
    const picture = PNG.sync.read(await screenshotWindow(desktop.environment, root));
    return countColor(picture, 0x11cc22) > 1_000;
  });
});

test('output returns to the newest line or leaves the view where it is', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `seq 1 200; printf '\\033[41mRED\\033[m'; ${waiting(file)}; echo more; ${waiting(`${file}-2`)}; echo more; sleep 60`;
  await using terminal = await openInProcess(desktop, { script });
  await shows(terminal, 0xcd0000);
  set(terminal.options, 'scrollTtyOutput', false);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'shift+Prior');
  await hides(terminal, 0xcd0000);
  writeFileSync(file, '');
  await desktop.run('xdotool', 'key', 'shift+Prior');
  expect(countColor(await terminal.screenshot(), 0xcd0000)).toBe(0);
  set(terminal.options, 'scrollTtyOutput', true);
  writeFileSync(`${file}-2`, '');
  await shows(terminal, 0xcd0000);
});

test('a key returns to the newest line', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, {
    script: "stty raw -echo; seq 1 200; printf '\\033[41mRED\\033[m'; sleep 60",
  });
  await shows(terminal, 0xcd0000);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'shift+Prior', 'a');
  await hides(terminal, 0xcd0000);
  set(terminal.options, 'scrollKey', true);
  await desktop.run('xdotool', 'key', 'a');
  await shows(terminal, 0xcd0000);
});

test('applications may change titles as long as that is allowed, with or without the newer properties', async ({
  desktop,
}) => {
  const file = desktop.newFile();
  const title = (step: number, text: string): string =>
    `${waiting(`${file}-${step}`)}; printf '\\033]2;${text}\\007'; : > ${file}-${step}-done`;
  const script = `${title(1, 'first')}; ${title(2, 'second')}; ${title(3, 'third')}; sleep 60`;
  await using terminal = await openInProcess(desktop, { script });
  const properties = (): Promise<string> => desktop.run('xprop', '-id', `${terminal.window}`);
  const step = async (number: number): Promise<void> => {
    writeFileSync(`${file}-${number}`, '');
    await waitFor('it was written', () => existsSync(`${file}-${number}-done`));
  };
  await step(1);
  await waitFor('the first title shows', async () =>
    (await properties()).includes('_NET_WM_NAME(UTF8_STRING) = "first"'),
  );

  set(terminal.options, 'allowTitleOps', false);
  await step(2);
  set(terminal.options, 'utf8Title', 'false');
  await waitFor('the newer property is gone', async () => !(await properties()).includes('_NET_WM_NAME'));
  expect(await properties()).toContain('WM_NAME(STRING) = "first"');

  terminal.options.set('allowTitleOps', true);
  await step(3);
  await waitFor('the third title shows', async () => (await properties()).includes('WM_NAME(STRING) = "third"'));
  expect(await properties()).not.toContain('_NET_WM_NAME');
});

test('a title that repeats the last request is written again once sameName is off', async ({ desktop }) => {
  const file = desktop.newFile();
  const title = "printf '\\033]2;same\\007'";
  const script = `${title}; ${waiting(file)}; ${title}; printf '\\033[41m     '; ${waiting(`${file}-2`)}; ${title}; sleep 60`;
  await using terminal = await openInProcess(desktop, { script });
  const shown = (): Promise<string> => desktop.run('xprop', '-id', `${terminal.window}`, 'WM_NAME');
  await waitFor('the title shows', async () => (await shown()).includes('"same"'));
  const overwrite = ['-id', `${terminal.window}`, '-f', 'WM_NAME', '8s', '-set', 'WM_NAME', 'from outside'];
  await desktop.run('xprop', ...overwrite);
  writeFileSync(file, '');
  await shows(terminal, 0xcd0000);
  expect(await shown()).toContain('"from outside"');

  set(terminal.options, 'sameName', false);
  writeFileSync(`${file}-2`, '');

  await waitFor('the title is back', async () => (await shown()).includes('"same"'));
});

test('ENQ is answered with the present answerback', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `stty raw -echo; ${waiting(file)}; printf '\\005'; dd bs=1 count=3 of=${file}-answer 2>/dev/null; sleep 60`;
  await using terminal = await openInProcess(desktop, { resources: ['*answerbackString: old'], script });
  set(terminal.options, 'answerbackString', 'new');
  writeFileSync(file, '');
  await waitFor('the answer came', () => contentOf(`${file}-answer`) === 'new');
});

test('permissions that are given or taken back count for the next question', async ({ desktop }) => {
  const file = desktop.newFile();
  const QUESTIONS = '\\033[21t\\033]10;?\\007\\033P+q544e\\033\\\\\\033[5n';
  const ask = (number: number): string => `${waiting(`${file}-${number}`)}; printf '${QUESTIONS}'`;
  await using terminal = await openInProcess(desktop, {
    script: `stty raw -echo; cat < /dev/tty > ${file} & ${ask(1)}; ${ask(2)}; sleep 60`,
    resources: ['*title: me', '*allowTcapOps: false'],
  });
  const answers = async (number: number): Promise<string> => {
    writeFileSync(`${file}-${number}`, '');
    await waitFor('all is answered', () => contentOf(file).split('\x1b[0n').length === number + 1);
    return contentOf(file).split('\x1b[0n')[number - 1] ?? '';
  };
  const COLOR = '\x1b]10;rgb:0000/0000/0000\x07';
  const CAPABILITY = `\x1bP1+r544E=${Buffer.from('xterm-256color').toString('hex').toUpperCase()}\x1b\\`;
  expect(await answers(1)).toBe(COLOR);

  set(terminal.options, 'allowWindowOps', true);
  set(terminal.options, 'allowColorOps', false);
  set(terminal.options, 'allowTcapOps', true);

  expect(await answers(2)).toBe(`\x1b]lme\x1b\\${CAPABILITY}`);
});

test('a bell asks for attention as soon as the resource wants it, and no longer than that', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, {
    script: 'while :; do printf "\\007"; sleep 0.1; done',
  });
  const isUrgent = async (): Promise<boolean> =>
    (await desktop.run('xprop', '-id', `${terminal.window}`, 'WM_HINTS')).includes('urgency');
  expect(await isUrgent()).toBe(false);
  set(terminal.options, 'bellIsUrgent', true);
  await waitFor('it is urgent', isUrgent);
  set(terminal.options, 'bellIsUrgent', false);
  await waitFor('it no longer is', async () => !(await isUrgent()));
});

test('the end of a command reaches the desktop once the resource says after how long', async ({ desktop }) => {
  const [file, shown] = [desktop.newFile(), desktop.newFile()];
  const programs = `${file}-programs`;
  mkdirSync(programs);
  writeFileSync(`${programs}/notify-send`, `#!/bin/sh\necho "$*" >> ${shown}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const command = (name: string): string =>
    `printf '\\033]133;B\\007${name}\\r\\n\\033]133;C\\007'; sleep 1.1; printf '\\033]133;D;0\\007'`;
  const script = `${command('first')}; printf '\\033[41m     '; ${waiting(file)}; ${command('second')}; sleep 60`;
  await using terminal = await openInProcess(desktop, { script });
  await shows(terminal, 0xcd0000);

  set(terminal.options, 'notifyCommandTime', 1);
  writeFileSync(file, '');

  await waitFor('the second is shown', () => contentOf(shown).includes('second'));
  expect(contentOf(shown)).not.toContain('first');
});

test('notifications reach the desktop once they are allowed', async ({ desktop }) => {
  const [file, shown] = [desktop.newFile(), desktop.newFile()];
  const programs = `${file}-programs`;
  mkdirSync(programs);
  writeFileSync(`${programs}/notify-send`, `#!/bin/sh\necho "$*" >> ${shown}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const script = `printf '\\033]9;first\\007\\033[41m     '; ${waiting(file)}; printf '\\033]9;second\\007'; sleep 60`;
  await using terminal = await openInProcess(desktop, { script });
  await shows(terminal, 0xcd0000);

  set(terminal.options, 'allowNotifyOps', true);
  writeFileSync(file, '');

  await waitFor('the second is shown', () => contentOf(shown).includes('second'));
  expect(contentOf(shown)).not.toContain('first');
});

test('SELECT means another selection as soon as selectToClipboard changes', async ({
  desktop,
  atoms: { clipboard, utf8String },
  peer,
}) => {
  const file = desktop.newFile();
  const write = (text: string): string => `printf '\\033]52;s;%s\\007' ${Buffer.from(text).toString('base64')}`;
  await using terminal = await openInProcess(desktop, {
    script: `${write('first')}; ${waiting(file)}; ${write('second')}; sleep 60`,
    resources: ['*allowWindowOps: true'],
  });
  const isGiven = (selection: number, text: string): Promise<unknown> =>
    waitFor(`${text} is given`, async () => (await peer.convert(selection, utf8String))?.data.toString() === text);
  await isGiven(ATOMS.PRIMARY, 'first');

  set(terminal.options, 'selectToClipboard', true);
  writeFileSync(file, '');

  await isGiven(clipboard, 'second');
  await isGiven(ATOMS.PRIMARY, 'first');
});

test('a held window closes once hold is switched off', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await openInProcess(desktop, { script: `${waiting(file)}; printf '\\033[41m     '` });
  set(terminal.options, 'hold', true);
  writeFileSync(file, '');
  await shows(terminal, 0xcd0000);
  let hasEnded = false;
  void terminal.ended.then(() => {
    hasEnded = true;
  });
  await desktop.run('xprop', '-root');
  expect(hasEnded).toBe(false);

  terminal.options.set('hold', false);

  await terminal.ended;
});

test('text is drawn with outline fonts, and with bitmap fonts again', async ({ desktop }) => {
  await using terminal = await openInProcess(desktop, { script: "printf '\\033[41mRED'; sleep 60" });
  await shows(terminal, 0xcd0000);
  const widthOf = async (): Promise<number> => (await terminal.screenshot()).width;
  const bitmap = await widthOf();

  set(terminal.options, 'renderFont', 'true');
  await waitFor('the window has the width for other cells', async () => (await widthOf()) !== bitmap);
  await shows(terminal, 0xcd0000);

  set(terminal.options, 'renderFont', 'false');
  await waitFor('the window has its first width', async () => (await widthOf()) === bitmap);
  await shows(terminal, 0xcd0000);
});

test('the background changes its opacity where a compositor makes something of it', async ({ desktop }) => {
  await using compositor = await startCompositor(desktop);
  expect(compositor).toBeDefined();
  await using terminal = await openInProcess(desktop, { script: "printf '\\033[41m     \\033[m'; sleep 60" });
  await shows(terminal, 0xcd0000);

  set(terminal.options, 'backgroundOpacity', 0.5);

  // The colour is premultiplied, as compositors want it.
  await shows(terminal, 0x808080, 50_000);
  await shows(terminal, 0xcd0000);
});

test('an application receives mouse reports as long as that is allowed', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `stty raw -echo; printf '\\033[?1000h\\033[?1006h'; cat > ${file}`;
  await using terminal = await openInProcess(desktop, { resources: ['*geometry: 80x24+0+0'], script });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'mousemove', '65', '45');
  const turn = (): Promise<string> => desktop.run('xdotool', 'click', '4', 'key', 'a');
  await waitFor('the application is told', async () => {
    await turn();
    return contentOf(file).includes('\x1b[<64;');
  });
  await waitFor('the last key comes', () => contentOf(file).endsWith('a'));
  set(terminal.options, 'allowMouseOps', false);
  const told = contentOf(file).length;
  await turn();
  await waitFor('the key comes', () => contentOf(file).length > told);
  expect(contentOf(file).slice(told)).toBe('a');
  terminal.options.set('allowMouseOps', true);
  await turn();
  await waitFor('the application is told again', () => contentOf(file).slice(told).includes('\x1b[<64;'));
});

test('the wheel sends cursor keys to the alternate screen until alternateScroll is off', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `stty raw -echo; printf '\\033[?1049h\\033[41m     '; cat > ${file}`;
  await using terminal = await openInProcess(desktop, { script });
  await shows(terminal, 0xcd0000);
  const wheel = (): Promise<unknown> =>
    desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '50', '50', 'click', '4');
  const keys = '\x1b[A'.repeat(5);
  await wheel();
  await waitFor('cursor keys come', () => contentOf(file) === keys);

  set(terminal.options, 'alternateScroll', false);
  await wheel();
  await desktop.run('xdotool', 'key', 'x');

  await waitFor('the key comes', () => contentOf(file).endsWith('x'));
  expect(contentOf(file)).toBe(`${keys}x`);
});

test('every row that is marked live was seen to change', () => {
  const live = termprogResources.filter((row) => row.live === true).map(({ name }) => name);
  expect([...proved].sort()).toEqual(live.sort());
});
