import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PNG } from 'pngjs';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { isBlackAt, LABEL_LEFT, PLAIN_MENUS, postMenu, type ShownMenu } from '../../harness/shown-menu.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { openTestConnection, type TestConnection } from '../../harness/test-connection.ts';
import { lookOf } from './menu-labels.ts';
import { countColor } from './pixels.ts';

afterEach(async () => {
  await desktop.run('xdotool', 'mouseup', '1', 'keyup', 'ctrl');
});

const searchPath = (): Record<string, string> => ({
  XFILESEARCHPATH: ['%L/%T/%N', '%l/%T/%N', '%T/%N'].map((path) => join(desktop.folder, path)).join(':'),
});

const GERMAN = 'Schließen für immer';

for (const [locale, folder, bytes] of [
  ['de_DE.ISO8859-1', 'de_DE.ISO8859-1', Buffer.from(`*mainMenu*quit*Label: ${GERMAN}\n`, 'latin1')],
  ['de_DE.UTF-8', 'de', Buffer.from(`*mainMenu*quit*Label: ${GERMAN}\n`, 'utf8')],
] as const) {
  test(`with menuLocale ${locale} labels are those of its class defaults, in its character set`, async () => {
    verifies('termprog.resource.menuLocale');
    writeDefaults(folder, bytes);
    const { seen } = await look(['-xrm', `*menuLocale: ${locale}`], (menu, picture, connection) =>
      lookOf(connection, picture, menu.topOf('quit'), GERMAN),
    );
    expect(seen).toBe('plain');
  });
}

test('without menuLocale labels are those of the locale C, also where the terminal speaks another language', async () => {
  writeDefaults('fr', '*mainMenu*quit*Label: Quitter\n');
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, {
    args: PLAIN_MENUS,
    environment: { ...searchPath(), LC_ALL: 'fr_FR.UTF-8' },
    script: 'sleep 60',
  });
  const menu = await postMenu(desktop, terminal, 'mainMenu');
  expect(await lookOf(connection, await menu.picture(), menu.topOf('quit'), 'Quit')).toBe('plain');
  await menu.release();
});

/** The word for quitting in the EUC of Japan, and its codes in fonts. */
const JAPANESE = { text: '終了', euc: [0xbd, 0xaa, 0xce, 0xbb], jis: '\u3d2a\u4e3b' };

for (const [locale, bytes, font, fontOfTest, codes] of [
  ['ja_JP.eucJP', Buffer.from(JAPANESE.euc), 'k14', 'k14', JAPANESE.jis],
  ['ja_JP.UTF-8', Buffer.from(JAPANESE.text), '6x13', '-misc-fixed-medium-r-normal-ja-13-*-iso10646-1', JAPANESE.text],
] as const) {
  test(`with menuLocale ${locale} and the font ${font} a Japanese label is drawn`, async () => {
    verifies('termprog.resource.menuLocale');
    writeDefaults(locale, Buffer.concat([Buffer.from('*mainMenu*quit*Label: '), bytes, Buffer.from('\n')]));
    const args = ['-xrm', `*menuLocale: ${locale}`, '-xrm', `*mainMenu.quit.font: ${font}`];
    const { seen } = await look(args, (menu, picture, connection) =>
      hasText(connection, picture, { top: menu.topOf('quit'), font: fontOfTest, codes }),
    );
    expect(seen).toBe(true);
  });
}

/** Whether two characters of a font stand somewhere in an entry. */
async function hasText(
  { x: connection }: TestConnection,
  picture: PNG,
  { top, font, codes }: { top: number; font: string; codes: string },
): Promise<boolean> {
  const { client, screen } = connection;
  const [width, height] = [24, 13];
  const [pixmap, gc, id] = [client.AllocID(), client.AllocID(), client.AllocID()];
  client.OpenFont(id, font);
  client.CreatePixmap(pixmap, screen.root, screen.root_depth, width, height);
  client.CreateGC(gc, pixmap, { foreground: screen.white_pixel, font: id });
  client.PolyFillRectangle(pixmap, gc, [0, 0, width, height]);
  client.ChangeGC(gc, { foreground: screen.black_pixel });
  client.PolyText16(pixmap, gc, 0, 11, [codes]);
  const { data } = await connection.ask<{ data: Buffer }>('the picture', (x, reply) =>
    x.GetImage(2, pixmap, 0, 0, width, height, 0xffff_ffff, reply),
  );
  const isInk = (x: number, y: number): boolean => (data.readUInt32LE((y * width + x) * 4) & 0xff_ffff) === 0;
  const cells = Array.from({ length: width * height }, (_, cell) => [cell % width, Math.floor(cell / width)] as const);
  expect(cells.filter(([x, y]) => isInk(x, y)).length).toBeGreaterThan(30);
  return [-1, 0, 1, 2, 3].some((shift) =>
    cells.every(
      ([x, y]) =>
        top + y + shift < picture.height && isBlackAt(picture, LABEL_LEFT + x, top + y + shift) === isInk(x, y),
    ),
  );
}

test('colours, margins, the border and labels are those of the resources', async () => {
  const resources = [
    '*SimpleMenu.background: navy',
    '*SimpleMenu*foreground: yellow',
    '*SimpleMenu*borderWidth: 7',
    '*mainMenu.label: My Options',
    '*mainMenu.quit.label: Leave',
    '*mainMenu.bottomMargin: 10',
  ];
  const args = resources.flatMap((line) => ['-xrm', line]);
  const plain = await look([], (menu) => menu.height);
  const { seen, told } = await look(args, async ({ window, height }, picture, connection) => {
    const { borderWidth } = await connection.x.ask<{ borderWidth: number }>('the border', (client, reply) =>
      client.GetGeometry(window, reply),
    );
    return { borderWidth, height, navy: countColor(picture, 0x80), yellow: countColor(picture, 0xffff00) };
  });
  expect(told).toBe('');
  expect([seen.borderWidth, seen.height - plain.seen]).toEqual([7, 10]);
  expect(seen.navy).toBeGreaterThan(50_000);
  expect(seen.yellow).toBeGreaterThan(500);
});

test('values that cannot be used are reported in one line each, and the menu is shown without them', async () => {
  const resources = [
    '*menuLocale: Klingon!',
    '*SimpleMenu*vertSpace: many',
    '*SimpleMenu*foreground: no such colour',
    '*SimpleMenu*cursor: elephant',
  ];
  const { seen, told } = await look(
    resources.flatMap((line) => ['-xrm', line]),
    (menu, picture, connection) => lookOf(connection, picture, menu.topOf('quit'), 'Quit'),
  );
  expect(seen).toBe('plain');
  const lines = told.trim().split('\n');
  expect(lines).toHaveLength(resources.length);
  for (const value of ['Klingon!', 'many', 'no such colour', 'elephant']) expect(told).toContain(`"${value}" is not`);
});

test('a font that is not there is reported in one line, and labels are drawn with another', async () => {
  const { told } = await look(['-xrm', '*mainMenu*SmeBSB.font: no-such-font'], (menu) => menu.isShown());
  expect(told.trim().split('\n')).toHaveLength(1);
  expect(told).toContain('"no-such-font" is not a font of the X server');
});

/** Writes class defaults for a language into a folder of the search path. */
function writeDefaults(language: string, lines: Buffer | string): void {
  const folder = join(desktop.folder, language, 'app-defaults');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'Term'), lines);
}

/** Shows Main Options of a terminal and looks at it. */
async function look<T>(
  args: readonly string[],
  at: (menu: ShownMenu, picture: PNG, connection: TestConnection) => Promise<T> | T,
): Promise<{ seen: T; told: string }> {
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, {
    args: [...PLAIN_MENUS, ...args],
    environment: searchPath(),
    script: 'sleep 60',
  });
  const menu = await postMenu(desktop, terminal, 'mainMenu');
  const seen = await at(menu, await menu.picture(), connection);
  await menu.release();
  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  return { seen, told: terminal.process.output() };
}
