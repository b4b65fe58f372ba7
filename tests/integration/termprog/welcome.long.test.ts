import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import {
  type StartedTerminal,
  spawnTermprog,
  startTermprog,
  startXDesktop,
  type XDesktop,
} from '../../harness/start-termprog.ts';

interface Answer {
  status: number | undefined;
  text: string;
  /** The lines without comments. */
  lines: readonly string[];
}

const words = (text: string): string => text.replace(/\n!?\s+/g, ' ');

/** Gives resources to the server as a user does. */
const merge = (desktop: XDesktop, text: string, ...options: string[]): void =>
  void execFileSync('xrdb', [...options, '-merge'], { input: text, env: { ...process.env, ...desktop.environment } });

test('xrdb merges the lines that -welcome prints, and then the window has exactly the font that was promised', async () => {
  verifies('termprog.option.welcome');
  await using desktop = await startXDesktop();
  const { status, text, lines } = await ask(desktop);
  const { named, cell } = promiseIn(text);

  merge(desktop, text);
  await using terminal = await startTermprog(desktop, {
    args: ['-report-font-routing', '-xrm', '*vt100.translations: #override <KeyPress> F1: report-font-routing()'],
    script: 'printf A; sleep 60',
  });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  const routed = await waitFor('the face that drew the letter is reported', async () => {
    await desktop.run('xdotool', 'key', 'F1');
    const said = terminal.process.output();
    return said.includes('primary') ? said : undefined;
  });

  expect(status).toBe(0);
  expect(lines).toEqual([
    'term.vt100.faceName: DejaVu Sans Mono',
    'term.vt100.faceSize: 11',
    'term.vt100.forceBoxChars: true',
  ]);
  expect(named).toBe('DejaVu Sans Mono, 11 points');
  expect(await cellOf(desktop, terminal)).toBe(cell);
  expect(routed).toContain('DejaVu Sans Mono');
});

for (const [what, cpp] of [
  ['as ~/.Xresources', []],
  ['as ~/.Xresources, by a preprocessor that is stricter', ['-cpp', 'mcpp']],
] as const) {
  test(`the text works ${what}`, async () => {
    await using desktop = await startXDesktop();
    const { text } = await ask(desktop);
    const file = join(desktop.folder, '.Xresources');
    writeFileSync(file, text);

    const said = await desktop.run('xrdb', ...cpp, '-load', file);

    expect(said).toBe('');
    expect(await cellAtStart(desktop)).toBe(promiseIn(text).cell);
  });
}

test('once it is set, no change is suggested, and the setting is named with its source', async () => {
  await using desktop = await startXDesktop();
  merge(desktop, (await ask(desktop)).text);

  const { text, lines } = await ask(desktop);

  expect(lines).toEqual([]);
  expect(text).toContain('There is nothing that you have to change.');
  expect(text).toContain('vt100.faceSize: 11, by RESOURCE_MANAGER');
});

test('the lines win over what the user set before in another form, and keep the rest', async () => {
  await using desktop = await startXDesktop();
  merge(desktop, '*VT100*faceName: DejaVu Sans Mono\n*faceSize: 6\nTerm*saveLines: 77\n');
  const { text, lines } = await ask(desktop);

  merge(desktop, text);

  expect(lines).toEqual(['term.vt100.faceSize: 11']);
  expect(await cellAtStart(desktop)).toBe(promiseIn(text).cell);
});

test('a resource that wins over the lines is named', async () => {
  await using desktop = await startXDesktop();
  const file = join(desktop.folder, 'environment');
  writeFileSync(file, 'term.vt100.faceSize: 6\nterm.vt100.faceName: DejaVu Sans Mono\n');

  const { text } = await ask(desktop, { XENVIRONMENT: file });

  expect(words(text)).toContain(`term.vt100.faceSize in ${file} wins over these lines`);
});

test('on a monitor that is finer than the server says, the letters are as large for the eye', async () => {
  await using desktop = await startXDesktop(['-screen', '0', '2560x1600x24', '-dpi', '96']);
  await desktop.run('xrandr', '--setmonitor', 'fine', '2560/260x1600/162+0+0', 'screen');

  const { text, lines } = await ask(desktop);
  merge(desktop, text);

  expect(lines.slice(0, 2)).toEqual(['term.vt100.faceName: DejaVu Sans Mono', 'term.vt100.faceSize: 28.5']);
  expect(words(text)).toContain('the monitor has 251');
  expect(await cellAtStart(desktop)).toBe(promiseIn(text).cell);
});

test('without the libraries of outline fonts it suggests a bitmap font, and says what is missing', async () => {
  await using desktop = await startXDesktop();
  const folder = join(desktop.folder, 'libraries');
  mkdirSync(folder);
  writeFileSync(join(folder, 'libfreetype.so.6'), '');
  const environment = { LD_LIBRARY_PATH: folder };

  const { status, text, lines } = await ask(desktop, environment);
  merge(desktop, text);

  expect(status).toBe(0);
  expect(lines).toEqual(['term.vt100.font: 10x20']);
  expect(words(text)).toMatch(/bitmap fonts are used instead: .*libfreetype\.so\.6/);
  expect(await cellAtStart(desktop, environment)).toBe(promiseIn(text).cell);
});

test('without fonts of its own fontconfig leaves the bitmap fonts', async () => {
  await using desktop = await startXDesktop();
  const file = join(desktop.folder, 'no-fonts.conf');
  writeFileSync(file, '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>');

  const { text, lines } = await ask(desktop, { FONTCONFIG_FILE: file });

  expect(lines).toEqual(['term.vt100.font: 10x20']);
  expect(words(text)).toContain('no installed font has any of the usual ones. None for Emoji, Chinese');
});

test('a locale that is not one of UTF-8 is reported', async () => {
  await using desktop = await startXDesktop();

  const { text } = await ask(desktop, { LC_ALL: 'C' });

  expect(words(text)).toContain('C is not one of UTF-8: programs may show wrong characters');
});

test('it points to the example resource file', async () => {
  await using desktop = await startXDesktop();

  const { text } = await ask(desktop);

  expect(text).toContain(join(process.cwd(), 'share/termprog/example.Xresources'));
});

/** Counts the rows of the window without a dark pixel, between the first dark row and the last. */
async function gapsIn(terminal: StartedTerminal): Promise<{ gaps: number; rows: number }> {
  const { data, width, height } = await terminal.screenshot();
  const isDark = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => data[4 * (y * width + x)] ?? 0xff).some((red) => red < 0x40),
  );
  const shown = isDark.slice(isDark.indexOf(true), isDark.lastIndexOf(true) + 1);
  return { gaps: shown.filter((row) => !row).length, rows: shown.length };
}

for (const dpi of ['96', '100', '144', '192']) {
  test(`at ${dpi} dots per inch text of the suggested setup is as large as on others, and lines of boxes have no gaps`, async () => {
    await using desktop = await startXDesktop(['-screen', '0', '3840x2160x24', '-dpi', dpi]);
    const { text } = await ask(desktop);
    merge(desktop, text);
    const script = `printf '\\033[?25l│\\r\\n│\\r\\n│\\r\\n│\\r\\n│'; sleep 60`;
    await using terminal = await startTermprog(desktop, { script });
    const [, height = ''] = (await cellOf(desktop, terminal)).split('x');
    // The lines are 13 or 14 points high.
    expect(Math.round((72 * Number(height)) / Number(dpi))).toBeGreaterThanOrEqual(13);
    expect(Math.round((72 * Number(height)) / Number(dpi))).toBeLessThanOrEqual(14);
    await waitFor('all of the line shows', async () => {
      const { gaps, rows } = await gapsIn(terminal);
      return rows >= 5 * Number(height) - 1 && gaps === 0;
    });
  });
}

async function ask(desktop: XDesktop, environment: Record<string, string> = {}, args: string[] = []): Promise<Answer> {
  const process = spawnTermprog(['-welcome', ...args], { ...desktop.environment, ...environment });
  const { exitCode } = await process.ended;
  const text = process.output();
  return { status: exitCode, text, lines: text.split('\n').filter((line) => line !== '' && !line.startsWith('!')) };
}

/** Returns what it promises about the font: its words, and its cells. */
function promiseIn(text: string): { named: string; cell: string } {
  const [, named = '', cell = ''] = /Then +(.+?): an? \w+ font, cells of (\d+x\d+) pixels/.exec(words(text)) ?? [];
  return { named, cell };
}

/** The cells by which the window grows. */
async function cellOf(desktop: XDesktop, { window }: StartedTerminal): Promise<string> {
  const hints = await desktop.run('xprop', '-id', `${window}`, 'WM_NORMAL_HINTS');
  const [, width, height] = /resize increment: (\d+) by (\d+)/.exec(hints) ?? [];
  return `${width}x${height}`;
}

/** The cells of a terminal that starts now. */
async function cellAtStart(desktop: XDesktop, environment: Record<string, string> = {}): Promise<string> {
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', environment });
  return await cellOf(desktop, terminal);
}
