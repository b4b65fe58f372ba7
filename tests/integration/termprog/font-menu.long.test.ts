import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { readMenuRows } from '../../conformance/requirements/menu-entries.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { restingPicture } from '../../harness/resting-picture.ts';
import { isChecked, PLAIN_MENUS, postMenu } from '../../harness/shown-menu.ts';
import { type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';
import { lookOf } from './menu-labels.ts';
import { startSpokenTerminal } from './menu-modes.ts';
import { countColor } from './pixels.ts';

const sizeOf = async (terminal: StartedTerminal): Promise<string> => {
  const { width, height } = await terminal.screenshot();
  return `${width}x${height}`;
};

/** Entry that can be chosen only in a locale other than UTF-8. */
const UTF8_TITLES = 'utf8-title';

test('entries of VT Fonts that are unavailable are grey, and the others are not', async ({ desktop }) => {
  verifies(
    'termprog.menu.font.escape-sequence-and-selection',
    'termprog.menu.font.bold-fonts',
    'termprog.menu.font.packed-font',
    'termprog.menu.font.utf-8-encoding-and-utf-8-fonts',
    'termprog.translation.exactly-Ctrl-with-Btn3Down',
  );
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, terminal, 'fontMenu');
  const picture = await menu.picture();

  for (const { entries, isUnavailable } of readMenuRows().filter((row) => row.menu === 'fontMenu')) {
    for (const { name, label } of entries) {
      const look = await lookOf(connection, picture, menu.topOf(name), label);
      expect([label, look]).toEqual([label, isUnavailable || name === UTF8_TITLES ? 'grey' : 'plain']);
    }
  }
  await menu.release();
});

test('each entry of a size draws with its font, and has the check mark then', async ({ desktop }) => {
  verifies('termprog.menu.font.default');
  const sizes = {
    font1: '1x1',
    font2: '5x7',
    font3: '6x10',
    font4: '7x13',
    font5: '9x15',
    font6: '10x20',
    font7: '12x24',
  };
  const fonts = Object.entries(sizes).flatMap(([name, font]) => ['-xrm', `*${name}: ${font}`]);
  await using terminal = await startTermprog(desktop, {
    args: [...PLAIN_MENUS, ...fonts, '-xrm', '*font1: nil2', '-geometry', '20x5'],
    script: 'sleep 60',
  });
  const expected = {
    font5: [9, 15],
    font2: [5, 7],
    font3: [6, 10],
    font6: [10, 20],
    font4: [7, 13],
    font7: [12, 24],
    fontdefault: [6, 13],
  };
  for (const [name, [width = 0, height = 0]] of Object.entries(expected)) {
    const menu = await postMenu(desktop, terminal, 'fontMenu');
    await menu.choose(name);
    await waitFor(`${name} draws`, async () => (await sizeOf(terminal)) === `${20 * width + 4}x${5 * height + 4}`);
    const again = await postMenu(desktop, terminal, 'fontMenu');
    const picture = await again.picture();
    const checked = [...Object.keys(expected), 'font1'].filter((each) => isChecked(picture, again.topOf(each)));
    expect(checked).toEqual([name]);
    await again.release();
    await waitFor('the menu is gone', async () => !(await again.isShown()));
  }
  await (await postMenu(desktop, terminal, 'fontMenu')).choose('font1');
  await waitFor('Unreadable draws', async () => (await terminal.screenshot()).height < 25);
});

test('Procedural Glyphs draws lines from the cells, and no longer', async ({ desktop }) => {
  verifies('termprog.menu.font.procedural-glyphs');
  await using terminal = await startTermprog(desktop, {
    args: [...PLAIN_MENUS, '-fa', 'DejaVu Sans Mono', '-fs', '20', '-geometry', '20x5'],
    script: "printf '\\033[?25l╱╲╳╭╮░▒'; sleep 60",
  });
  const hash = async (): Promise<string> => (await terminal.screenshot()).data.toString('latin1');
  await waitFor('the text shows', async () => countColor(await terminal.screenshot(), 0) > 50);
  const faces = (await restingPicture(terminal)).data.toString('latin1');
  await (await postMenu(desktop, terminal, 'fontMenu')).choose('font-linedrawing');
  await waitFor('the glyphs are others', async () => (await hash()) !== faces);

  await (await postMenu(desktop, terminal, 'fontMenu')).choose('font-linedrawing');

  await waitFor('they are the first again', async () => (await hash()) === faces);
});

test('TrueType Fonts switches to outline fonts, and back', async ({ desktop }) => {
  verifies('termprog.menu.font.truetype-fonts');
  await using terminal = await startTermprog(desktop, {
    args: [
      ...PLAIN_MENUS,
      '-xrm',
      '*faceName: DejaVu Sans Mono',
      '-xrm',
      '*faceSize: 20',
      '-xrm',
      '*renderFont: false',
      '-geometry',
      '20x5',
    ],
    script: 'sleep 60',
  });
  const bitmap = await sizeOf(terminal);
  await (await postMenu(desktop, terminal, 'fontMenu')).choose('render-font');
  await waitFor('the cells are others', async () => (await sizeOf(terminal)) !== bitmap);
  const menu = await postMenu(desktop, terminal, 'fontMenu');
  expect(isChecked(await menu.picture(), menu.topOf('render-font'))).toBe(true);

  await menu.choose('render-font');

  await waitFor('they are the first again', async () => (await sizeOf(terminal)) === bitmap);
});

test('UTF-8 Titles writes titles in UTF-8 in another locale; in a UTF-8 locale it is grey and checked', async ({
  desktop,
}) => {
  verifies('termprog.menu.font.utf-8-titles', 'termprog.resource.utf8Title');
  await using terminal = await startTermprog(desktop, {
    args: PLAIN_MENUS,
    environment: { LC_ALL: 'C' },
    script: 'sleep 60',
  });
  const properties = (): Promise<string> => desktop.run('xprop', '-id', `${terminal.window}`);
  expect(await properties()).not.toContain('_NET_WM_NAME(');
  await (await postMenu(desktop, terminal, 'fontMenu')).choose(UTF8_TITLES);
  await waitFor('the title is written in UTF-8', async () => (await properties()).includes('_NET_WM_NAME('));

  await using other = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, other, 'fontMenu');
  expect(isChecked(await menu.picture(), menu.topOf(UTF8_TITLES))).toBe(true);
  await menu.choose(UTF8_TITLES);
  expect(await desktop.run('xprop', '-id', `${other.window}`)).toContain('_NET_WM_NAME(');
});

/** Question, and a part of its answer if the answer is allowed. */
const QUESTIONS = {
  'allow-color-ops': ['\x1b]11;?\x07', 'rgb:'],
  'allow-tcap-ops': ['\x1bP+q544e\x1b\\', '1+r544'],
  'allow-window-ops': ['\x1b[21t', '\x1b]l'],
} as const;

for (const [entry, [question, allowed]] of Object.entries(QUESTIONS)) {
  test(`${entry} decides whether applications are answered`, async ({ desktop }) => {
    verifies(
      'termprog.menu.font.allow-color-ops',
      'termprog.menu.font.allow-termcap-ops',
      'termprog.menu.font.allow-window-ops',
    );
    await using spoken = await startSpokenTerminal(desktop);
    const isAnswered = async (): Promise<boolean> => (await spoken.ask(question)).includes(allowed);
    const before = await isAnswered();
    expect(before).toBe(entry !== 'allow-window-ops');

    await (await postMenu(desktop, spoken.terminal, 'fontMenu')).choose(entry);
    await waitFor('the answer is another', async () => (await isAnswered()) !== before);

    const menu = await postMenu(desktop, spoken.terminal, 'fontMenu');
    expect(isChecked(await menu.picture(), menu.topOf(entry))).toBe(!before);
    await menu.choose(entry);
    await waitFor('the answer is the first again', async () => (await isAnswered()) === before);
  });
}

test('without Allow Title Ops applications change no title', async ({ desktop }) => {
  verifies('termprog.menu.font.allow-title-ops');
  await using spoken = await startSpokenTerminal(desktop);
  const title = (): Promise<string> => desktop.run('xprop', '-id', `${spoken.terminal.window}`, 'WM_NAME');
  await spoken.ask('\x1b]2;first\x07');
  await waitFor('the title is set', async () => (await title()).includes('"first"'));
  await (await postMenu(desktop, spoken.terminal, 'fontMenu')).choose('allow-title-ops');
  await spoken.ask('\x1b]2;second\x07');

  await (await postMenu(desktop, spoken.terminal, 'fontMenu')).choose('allow-title-ops');

  // The menu took frames, with which a title would have been written.
  expect(await title()).toContain('"first"');
  await spoken.ask('\x1b]2;third\x07');
  await waitFor('titles are set again', async () => (await title()).includes('"third"'));
});

test('Allow Mouse Ops changes its setting, and shows it', async ({ desktop }) => {
  verifies('termprog.menu.font.allow-mouse-ops');
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, terminal, 'fontMenu');
  const top = menu.topOf('allow-mouse-ops');
  expect(isChecked(await menu.picture(), top)).toBe(true);
  expect(await lookOf(connection, await menu.picture(), top, 'Allow Mouse Ops')).toBe('plain');

  await menu.choose('allow-mouse-ops');

  const again = await postMenu(desktop, terminal, 'fontMenu');
  expect(isChecked(await again.picture(), again.topOf('allow-mouse-ops'))).toBe(false);
  await again.release();
});

test('while sent events are allowed Title and Window Ops are grey, and Color Ops can be chosen', async ({
  desktop,
}) => {
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, {
    args: [...PLAIN_MENUS, '-xrm', '*allowSendEvents: true'],
    script: 'sleep 60',
  });
  const menu = await postMenu(desktop, terminal, 'fontMenu');
  const picture = await menu.picture();
  const look = (name: string, label: string) => lookOf(connection, picture, menu.topOf(name), label);
  expect(await look('allow-title-ops', 'Allow Title Ops')).toBe('grey');
  expect(await look('allow-window-ops', 'Allow Window Ops')).toBe('grey');
  expect(await look('allow-color-ops', 'Allow Color Ops')).toBe('plain');

  await menu.choose('allow-color-ops');

  const again = await postMenu(desktop, terminal, 'fontMenu');
  expect(isChecked(await again.picture(), again.topOf('allow-color-ops'))).toBe(false);
  await again.release();
});
