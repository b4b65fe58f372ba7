import type { WireEvent } from 'x11';
import { queryExtension } from './query-extension.ts';
import type { XConnection } from './x-connection.ts';

/** The extension, and its event about a change of the screen's size. */
const EXTENSION = 'RANDR';
export const SCREEN_CHANGED = 'RRScreenChangeNotify';

/** A screen's size in pixels and in millimetres; the latter are 0 if the server does not know them. */
export interface ScreenSize {
  width: number;
  height: number;
  widthMm: number;
  heightMm: number;
}

/** Request and event mask of the extension; RANDR protocol, sections 7 and 8. */
const SELECT_INPUT = 4;
const SCREEN_CHANGE_MASK = 1;

/** Offsets of width and height in an event, two bytes each. */
const PIXELS_AT = 24;
const MILLIMETRES_AT = 28;

/** Rotations by a quarter and by three quarters. */
const TURNED = 2 | 8;

/**
 * Selects change events of the screen, which arrive for the root window. Without the extension there are no events.
 * @throws RequestRefusedError when the server refuses the query
 * @throws DisplayUnavailableError when the server went away
 */
export async function watchScreen(connection: XConnection): Promise<void> {
  const { client, screen } = connection;
  const extension = await queryExtension(connection, EXTENSION);
  if (extension === undefined) return;
  client.eventParsers[extension.firstEvent] = (type, seq) => ({ type, seq, name: SCREEN_CHANGED, wid: screen.root });
  const request = Buffer.alloc(12);
  request[0] = extension.majorOpcode;
  request[1] = SELECT_INPUT;
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(screen.root, 4);
  request.writeUInt16LE(SCREEN_CHANGE_MASK, 8);
  connection.sendRequests(request, 1);
  connection.flush();
}

/**
 * Returns the size in an event. The protocol sends the size before rotation, so that a turned screen has its sides
 * swapped here.
 */
export function screenSizeIn({ rawData }: Pick<WireEvent, 'rawData'>): ScreenSize {
  const isTurned = ((rawData[1] ?? 0) & TURNED) !== 0;
  const [first, second] = isTurned ? [2, 0] : [0, 2];
  return {
    width: rawData.readUInt16LE(PIXELS_AT + first),
    height: rawData.readUInt16LE(PIXELS_AT + second),
    widthMm: rawData.readUInt16LE(MILLIMETRES_AT + first),
    heightMm: rawData.readUInt16LE(MILLIMETRES_AT + second),
  };
}
