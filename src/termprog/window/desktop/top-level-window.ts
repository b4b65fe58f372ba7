import x11 from 'x11';
import type { GridSize } from '../../engine/grid.ts';
import type { CellSize, Rectangle } from '../../render/rectangle.ts';
import type { WindowVisual } from '../../x11/window-visual.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { Geometry } from '../../xresource/geometry.ts';
import { nearOffset, windowFor } from './fit-geometry.ts';
import type { WindowAtoms } from './window-atoms.ts';

const { eventMask } = x11;

export interface TopLevelOptions {
  /** The window's id, allocated earlier. */
  window: number;
  visual: WindowVisual;
  size: GridSize;
  /** The user set the size: window managers should keep it. */
  isSizeGiven: boolean;
  cell: CellSize;
  /** Window managers may choose any size, not only whole cells. */
  resizesByPixel: boolean;
  internalBorder: number;
  /** Pixels of the width that a scrollbar takes. */
  scrollbarWidth?: number;
  borderWidth: number;
  backgroundPixel: number;
  borderPixel: number;
  place: Pick<Geometry, 'x' | 'y'>;
  iconic: boolean;
  iconPlace: Pick<Geometry, 'x' | 'y'> | undefined;
  /** Instance and class, by which window managers identify programs. */
  name: { instance: string; class: string };
  hostName: string;
  locale: string;
  processId: number;
}

/** Most characters of a name in a property: one request must carry both names of WM_CLASS. */
const NAME_MAX_CHARACTERS = 4_096;

/** Bits of WM_NORMAL_HINTS and WM_HINTS; ICCCM 4.1.2.3 and 4.1.2.4. */
const SIZE_HINT = {
  userPosition: 1,
  userSize: 2,
  programSize: 8,
  minimum: 16,
  increment: 64,
  base: 256,
  gravity: 512,
} as const;
const HINT = { input: 1, state: 2, iconPosition: 16, windowGroup: 64, urgency: 256 } as const;
const STATE_NORMAL = 1;
const STATE_ICONIC = 3;

/** Gravities of the corners, by whether x and y count from the far edges. */
const GRAVITY = { northWest: 1, northEast: 3, southWest: 7, southEast: 9 } as const;

const INPUT_OUTPUT = 1;

/** The events that the window gets at all times. */
export const WINDOW_EVENTS: number = [
  'KeyPress',
  'KeyRelease',
  'ButtonPress',
  'ButtonRelease',
  'ButtonMotion',
  'EnterWindow',
  'LeaveWindow',
  'Exposure',
  'VisibilityChange',
  'StructureNotify',
  'FocusChange',
].reduce((mask, name) => mask | (eventMask[name] ?? 0), 0);

/** Creates the window with all properties that window managers read; it is not mapped yet. */
export function createTopLevelWindow(connection: XConnection, atoms: WindowAtoms, options: TopLevelOptions): void {
  const { client, screen } = connection;
  const { window: id, visual, borderWidth } = options;
  const { x, y, width, height } = rectangleOf(connection, options);
  client.CreateWindow(id, screen.root, x, y, width, height, borderWidth, visual.depth, INPUT_OUTPUT, visual.id, {
    backgroundPixel: options.backgroundPixel,
    borderPixel: options.borderPixel,
    // Keeps the content in place when the window is resized.
    bitGravity: GRAVITY.northWest,
    eventMask: WINDOW_EVENTS,
    // A window whose depth differs from its parent's can't use the parent's colormap.
    colormap: visual.colormap,
  });
  const set = (property: number, type: number, format: 8 | 32, data: Buffer): void =>
    client.ChangeProperty(0, id, property, type, format, data);
  const name = (text: string): string => text.slice(0, NAME_MAX_CHARACTERS);
  const names = `${name(options.name.instance)}\0${name(options.name.class)}\0`;
  set(atoms.wmClass, atoms.string, 8, Buffer.from(names, 'latin1'));
  set(atoms.wmClientMachine, atoms.string, 8, Buffer.from(name(options.hostName), 'latin1'));
  set(atoms.wmLocaleName, atoms.string, 8, Buffer.from(name(options.locale), 'latin1'));
  // The window is the leader of its own client and of a group of one.
  set(atoms.wmClientLeader, atoms.window, 32, words([id]));
  set(atoms.netWmPid, atoms.cardinal, 32, words([options.processId]));
  set(atoms.wmProtocols, atoms.atom, 32, words([atoms.wmDeleteWindow, atoms.netWmPing]));
  writeSizeHints(connection, atoms, options);
  writeWindowHints(connection, atoms, options, { isUrgent: false });
}

/** Writes WM_HINTS: input, initial state, icon position, group and urgency. */
export function writeWindowHints(
  connection: XConnection,
  atoms: WindowAtoms,
  options: TopLevelOptions,
  { isUrgent }: { isUrgent: boolean },
): void {
  const [flags = 0, ...hints] = windowHints(connection, options);
  const data = words([isUrgent ? flags | HINT.urgency : flags, ...hints]);
  connection.client.ChangeProperty(0, options.window, atoms.wmHints, atoms.wmHints, 32, data);
}

/** Writes WM_NORMAL_HINTS: the size of the window and of its cells. */
export function writeSizeHints(connection: XConnection, atoms: WindowAtoms, options: TopLevelOptions): void {
  const hints = words(sizeHints(options, rectangleOf(connection, options)));
  connection.client.ChangeProperty(0, options.window, atoms.wmNormalHints, atoms.wmSizeHints, 32, hints);
}

function words(values: number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer);
}

function rectangleOf({ screen }: XConnection, options: TopLevelOptions): Rectangle {
  const { place, borderWidth } = options;
  const { width, height } = windowFor(options.size, options);
  const x = nearOffset(place.x, screen.pixel_width - width - 2 * borderWidth);
  const y = nearOffset(place.y, screen.pixel_height - height - 2 * borderWidth);
  return { x, y, width, height };
}

function sizeHints(
  { cell, internalBorder, scrollbarWidth = 0, place, isSizeGiven, resizesByPixel }: TopLevelOptions,
  { x, y, width, height }: Rectangle,
): number[] {
  const base = { width: 2 * internalBorder + scrollbarWidth, height: 2 * internalBorder };
  const isPlaced = place.x !== undefined;
  const flags =
    (isSizeGiven ? SIZE_HINT.userSize : SIZE_HINT.programSize) |
    SIZE_HINT.minimum |
    SIZE_HINT.increment |
    SIZE_HINT.base |
    SIZE_HINT.gravity |
    (isPlaced ? SIZE_HINT.userPosition : 0);
  const minimum = [base.width + cell.width, base.height + cell.height];
  const noMaximum = [0, 0];
  const increments = resizesByPixel ? [1, 1] : [cell.width, cell.height];
  const noAspect = [0, 0, 0, 0];
  return [
    flags,
    x,
    y,
    width,
    height,
    ...minimum,
    ...noMaximum,
    ...increments,
    ...noAspect,
    base.width,
    base.height,
    gravityOf(place),
  ];
}

function gravityOf({ x, y }: TopLevelOptions['place']): number {
  const isRight = x?.fromFarEdge === true;
  if (y?.fromFarEdge === true) return isRight ? GRAVITY.southEast : GRAVITY.southWest;
  return isRight ? GRAVITY.northEast : GRAVITY.northWest;
}

function windowHints({ screen }: XConnection, { window, iconic, iconPlace }: TopLevelOptions): number[] {
  const hasIconPlace = iconPlace?.x !== undefined;
  const flags = HINT.input | HINT.state | HINT.windowGroup | (hasIconPlace ? HINT.iconPosition : 0);
  const iconX = nearOffset(iconPlace?.x, screen.pixel_width);
  const iconY = nearOffset(iconPlace?.y, screen.pixel_height);
  return [flags, 1, iconic ? STATE_ICONIC : STATE_NORMAL, 0, 0, iconX, iconY, 0, window];
}
