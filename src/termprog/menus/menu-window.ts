import x11 from 'x11';
import type { Rgb } from '../color/parse-color.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { POINTER_EVENTS } from './grabs.ts';
import type { MenuLayout } from './menu-layout.ts';
import type { MenuLook } from './resources/menu-look.ts';

const { eventMask } = x11;

const INPUT_OUTPUT = 1;
const YES = 1;

const EVENTS = ['KeyPress', 'Exposure', 'StructureNotify'].reduce(
  (mask, name) => mask | (eventMask[name] ?? 0),
  POINTER_EVENTS,
);

export interface MenuWindowOptions {
  visual: WindowVisual;
  look: MenuLook;
  layout: MenuLayout;
  place: { x: number; y: number };
  cursor: number;
  pixel(color: Rgb): number;
}

/** Creates the window of a menu, which window managers ignore; it is not mapped yet. */
export function createMenuWindow(
  { client, screen }: XConnection,
  { visual, look, layout, place, cursor, pixel }: MenuWindowOptions,
): number {
  const id = client.AllocID();
  const { width, height } = layout;
  client.CreateWindow(
    id,
    screen.root,
    place.x,
    place.y,
    width,
    height,
    look.borderWidth,
    visual.depth,
    INPUT_OUTPUT,
    visual.id,
    {
      backgroundPixel: pixel(look.background),
      borderPixel: pixel(look.border),
      overrideRedirect: YES,
      // Covered areas need no repainting by their programs.
      saveUnder: YES,
      eventMask: EVENTS,
      colormap: visual.colormap,
      cursor,
    },
  );
  return id;
}

/**
 * Creates a cursor of the server's font `cursor`, black on white.
 * @param picture its number in that font
 */
export function createCursor({ client }: XConnection, picture: number): number {
  const [font, cursor] = [client.AllocID(), client.AllocID()];
  client.OpenFont(font, 'cursor');
  client.CreateGlyphCursor(
    cursor,
    font,
    font,
    picture,
    picture + 1,
    { R: 0, G: 0, B: 0 },
    { R: 0xffff, G: 0xffff, B: 0xffff },
  );
  client.CloseFont(font);
  client.ReleaseID(font);
  return cursor;
}
