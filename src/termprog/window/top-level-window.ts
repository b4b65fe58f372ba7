import x11 from 'x11';
import type { CellSize, Rectangle } from '../render/rectangle.ts';
import type { XConnection } from '../x11/connection.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import type { Geometry } from '../xresource/geometry.ts';
import { type GridSize, positionOf, windowFor } from './fit-geometry.ts';
import type { WindowAtoms } from './window-atoms.ts';

const { eventMask } = x11;

export interface TopLevelOptions {
  /** Its id, allocated before. */
  window: number;
  visual: WindowVisual;
  size: GridSize;
  /** The user named the size, so that window managers leave it. */
  isSizeGiven: boolean;
  cell: CellSize;
  /** Window managers may give it any size, not only one of whole cells. */
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
  /** Instance and class, by which window managers know programs. */
  name: { instance: string; class: string };
  hostName: string;
  locale: string;
  processId: number;
}

/** Most characters of a name that window managers are told: one request must carry both of WM_CLASS. */
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

/** The events that the window always gets. */
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

/** Creates the window with everything a window manager wants to know; it is not shown yet. */
export function createTopLevelWindow(connection: XConnection, atoms: WindowAtoms, options: TopLevelOptions): void {
  const { client, screen } = connection;
  const { window: id, visual, borderWidth } = options;
  const { x, y, width, height } = rectangleOf(connection, options);
  client.CreateWindow(id, screen.root, x, y, width, height, borderWidth, visual.depth, INPUT_OUTPUT, visual.id, {
    backgroundPixel: options.backgroundPixel,
    borderPixel: options.borderPixel,
    // What is shown stays where it is when the window is resized.
    bitGravity: GRAVITY.northWest,
    eventMask: WINDOW_EVENTS,
    // A window of another depth than its parent's can't have the parent's.
    colormap: visual.colormap,
  });
  const set = (property: number, type: number, format: 8 | 32, data: Buffer): void =>
    client.ChangeProperty(0, id, property, type, format, data);
  const name = (text: string): string => text.slice(0, NAME_MAX_CHARACTERS);
  const names = `${name(options.name.instance)}\0${name(options.name.class)}\0`;
  set(atoms.wmClass, atoms.string, 8, Buffer.from(names, 'latin1'));
  set(atoms.wmClientMachine, atoms.string, 8, Buffer.from(name(options.hostName), 'latin1'));
  set(atoms.wmLocaleName, atoms.string, 8, Buffer.from(name(options.locale), 'latin1'));
  // It is alone: the leader of its own client, and of a group of one.
  set(atoms.wmClientLeader, atoms.window, 32, words([id]));
  set(atoms.netWmPid, atoms.cardinal, 32, words([options.processId]));
  set(atoms.wmProtocols, atoms.atom, 32, words([atoms.wmDeleteWindow, atoms.netWmPing]));
  writeSizeHints(connection, atoms, options);
  writeWindowHints(connection, atoms, options, { isUrgent: false });
}

/** Tells window managers how the window is to be treated, and whether it wants to be looked at. */
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

/** Tells window managers the size of the window and of its cells. */
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
  const x = positionOf(place.x, screen.pixel_width - width - 2 * borderWidth);
  const y = positionOf(place.y, screen.pixel_height - height - 2 * borderWidth);
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
  const iconX = positionOf(iconPlace?.x, screen.pixel_width);
  const iconY = positionOf(iconPlace?.y, screen.pixel_height);
  return [flags, 1, iconic ? STATE_ICONIC : STATE_NORMAL, 0, 0, iconX, iconY, 0, window];
}
