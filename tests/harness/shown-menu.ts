import { PNG } from 'pngjs';
import { listShownWindows, screenshotWindow } from '../../scripts/stack/screenshot.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { MenuName } from '../../src/termprog/menus/menu-entry.ts';
import { menus } from '../../src/termprog/menus/menu-list.ts';
import type { StartedTerminal, XDesktop } from './start-termprog.ts';
import { openTestConnection } from './test-connection.ts';

/** Gives menus a geometry that does not hang on the fonts of the server. */
export const PLAIN_MENUS = ['-xrm', '*SimpleMenu*font: 6x13', '-xrm', '*SimpleMenu*menuLabel.font: 6x13'];

/** Sizes with that font, in pixels: the title's height, an entry's, the left end of a label, and the border. */
const TITLE_HEIGHT = 26;
export const ENTRY_HEIGHT = 16;
export const LABEL_LEFT = 32;
const BORDER_WIDTH = 2;

const BUTTONS: Readonly<Record<MenuName, string>> = { mainMenu: '1', vtMenu: '2', fontMenu: '3' };

/** Pixels from the left edge of the window, in the text whether there is a scrollbar or not. */
const BESIDE_SCROLLBAR = 24;

const BLACK = 0;

/** A menu on the screen, with a button held. */
export interface ShownMenu {
  readonly window: number;
  /** Position of the menu's corner within its border. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  picture(): Promise<PNG>;
  /** Returns an entry's distance from the top, by the program's table. */
  topOf(name: string): number;
  /** Moves the pointer onto an entry, some pixels from its label. */
  pointAt(name: string, x?: number): Promise<void>;
  /** Lets the button go. */
  release(): Promise<void>;
  /** Lets the button go on an entry, and waits until the menu is gone. */
  choose(name: string): Promise<void>;
  isShown(): Promise<boolean>;
}

/** The windows that are shown, but for those in others; the topmost last. */
export function shownWindows({ environment }: Pick<XDesktop, 'environment'>): Promise<number[]> {
  return listShownWindows(environment);
}

/** Presses a button with Control held, as the user does, and waits for the menu. */
export async function postMenu(
  desktop: XDesktop,
  terminal: Pick<StartedTerminal, 'window'>,
  menu: MenuName,
): Promise<ShownMenu> {
  const before = await shownWindows(desktop);
  const button = BUTTONS[menu];
  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, `${BESIDE_SCROLLBAR}`, '12');
  await desktop.run('xdotool', 'keydown', 'ctrl', 'mousedown', button, 'keyup', 'ctrl');
  const release = async (): Promise<void> => void (await desktop.run('xdotool', 'mouseup', button));
  return awaitMenu(desktop, menu, { before, release }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
}

/** Waits for a menu that was requested. */
export async function awaitMenu(
  desktop: XDesktop,
  menu: MenuName,
  { before, release }: { before: readonly number[]; release(): Promise<void> },
): Promise<ShownMenu> {
  const window = await waitFor('the menu is shown', async () =>
    (await shownWindows(desktop)).find((candidate) => !before.includes(candidate)),
  );
  const picture = async (): Promise<PNG> => PNG.sync.read(await screenshotWindow(desktop.environment, window));
  await waitFor('the menu has its picture', async () => {
    const [one, next] = [await picture(), await picture()];
    // The menu is drawn row by row.
    return hasInk(one) && one.data.equals(next.data);
  });
  await using connection = await openTestConnection(desktop);
  const geometry = await connection.x.ask<{ xPos: number; yPos: number; width: number; height: number }>(
    'the place of the menu',
    (client, reply) => client.GetGeometry(window, reply),
  );
  const { width, height } = geometry;
  const [x, y] = [geometry.xPos + BORDER_WIDTH, geometry.yPos + BORDER_WIDTH];
  const isShown = async (): Promise<boolean> => (await shownWindows(desktop)).includes(window);
  const topOf = (name: string): number => topInTable(menu, name);
  const pointAt = async (name: string, left = LABEL_LEFT + 20): Promise<void> => {
    await desktop.run('xdotool', 'mousemove', `${x + left}`, `${y + topOf(name) + ENTRY_HEIGHT / 2}`);
  };
  return {
    window,
    x,
    y,
    width,
    height,
    picture,
    topOf,
    pointAt,
    release,
    choose: async (name) => {
      await pointAt(name);
      await release();
      await waitFor('the menu is gone', async () => !(await isShown()));
    },
    isShown,
  };
}

/** @throws Error for a name that the menu does not have */
function topInTable(menu: MenuName, wanted: string): number {
  const groups = menus.find(({ name }) => name === menu)?.groups ?? [];
  let top = TITLE_HEIGHT;
  for (const group of groups) {
    for (const { name } of group) {
      if (name === wanted) return top;
      top += ENTRY_HEIGHT;
    }
    // This is the line between groups.
    top += 1;
  }
  throw new Error(`${menu} has no entry ${wanted}`);
}

export function isBlackAt(picture: PNG, x: number, y: number): boolean {
  return picture.data.readUInt32BE((y * picture.width + x) * 4) >>> 8 === BLACK;
}

/** Whether an entry is highlighted: its ground is black. */
export function isHighlighted(picture: PNG, top: number): boolean {
  return isBlackAt(picture, picture.width - LABEL_LEFT / 2 - 2, top + 1);
}

/** Whether an entry has a check mark. */
export function isChecked(picture: PNG, top: number): boolean {
  const [left, right] = [LABEL_LEFT / 2, LABEL_LEFT];
  for (let y = top; y < top + ENTRY_HEIGHT; y += 1) {
    for (let x = left; x < right; x += 1) if (isBlackAt(picture, x, y)) return true;
  }
  return false;
}

/** Whether anything of the title has another colour than the corner. */
function hasInk({ data, width }: PNG): boolean {
  const pixels = Array.from({ length: TITLE_HEIGHT * width }, (_, pixel) => data.readUInt32BE(pixel * 4));
  return pixels.some((pixel) => pixel !== pixels[0]);
}
