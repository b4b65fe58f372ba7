import type { WireEvent } from 'x11';
import { createCharacterProperties, WIDTH_MASK } from '../../engine/width/character-properties.ts';
import { characterOf } from '../../input/keysyms.ts';
import { InputMethodClient } from '../../input-method/client.ts';
import { PreeditDecorator, type ShownPreedit } from '../../input-method/preedit-line.ts';
import { serverNamed } from '../../input-method/servers.ts';
import type { Composition } from '../../ports/text-input.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import type { FeatureParts } from './feature-parts.ts';

export interface InputMethod {
  /** Sees keys before all other filters; undefined if the environment disables input methods. */
  filter: InputFilter | undefined;
  /** The text under composition; undefined if there is none. */
  composition(): Composition | undefined;
  stop(): void;
}

export type InputMethodParts = Pick<
  FeatureParts,
  | 'connection'
  | 'router'
  | 'window'
  | 'focus'
  | 'engine'
  | 'viewport'
  | 'grid'
  | 'lines'
  | 'environment'
  | 'locale'
  | 'textInput'
  | 'diagnostics'
  | 'redraw'
  | 'nowMs'
>;

/** Set in the first byte of an event that a client sent. */
const SENT_FLAG = 0x80;

/** Passes keys to an input method server first, and shows the text under composition at the cursor. */
export function createInputMethod(parts: InputMethodParts): InputMethod {
  const server = serverNamed(parts.environment['XMODIFIERS']);
  if (server === null) return { filter: undefined, composition: () => undefined, stop: () => {} };
  const { connection, router, window, focus, textInput, diagnostics, redraw } = parts;
  /** Keys that the server returned: they are not sent to it again. */
  const returned = new WeakSet<WireEvent>();
  const client: InputMethodClient = new InputMethodClient({
    connection,
    server,
    window,
    locale: parts.locale,
    attach: (target, handlers) => {
      if (router.isAttached(target)) return false;
      router.attach(target, handlers);
      return true;
    },
    detach: (target) => router.detach(target),
    characterOf: (keysym) => characterOf(keysym) ?? '',
    onText: (text) => textInput.send(text),
    onKey: (bytes) => {
      const event = keyEventIn(bytes, window);
      returned.add(event);
      router.route(event);
    },
    onPreedit: redraw,
    hasFocus: () => focus.isHere,
    nowMs: parts.nowMs,
    debug: (message) => diagnostics.debug(message),
  });
  parts.lines.add(new PreeditDecorator(() => shownPreedit(parts, client), createWidths()));
  focus.watch(() => {
    client.look();
    client.session?.setFocus(focus.isHere);
  });
  const filter = (event: WireEvent): boolean | Promise<boolean> => {
    if (returned.delete(event)) return false;
    // Without a configured name any server is accepted, and most desktops have none: looking at each change of the
    // focus suffices.
    if (server !== undefined) client.look();
    const { session } = client;
    if (session === undefined) return false;
    client.setSpot(spotOf(parts));
    return session.offer(event.rawData);
  };
  return {
    filter: {
      name: 'the input method',
      events: ['KeyPress', 'KeyRelease'],
      get isIdle() {
        // A server that is named is also looked for with each key.
        return server === undefined && client.session === undefined;
      },
      filter,
    },
    composition: () => client.session?.preedit.composition,
    stop: () => client.stop(),
  };
}

/** Returns the widths of characters; their tables are created for the first composed text. */
function createWidths(): (code: number) => number {
  let propertiesOf: ReturnType<typeof createCharacterProperties> | undefined;
  return (code) => {
    propertiesOf ??= createCharacterProperties();
    return propertiesOf(code) & WIDTH_MASK;
  };
}

/**
 * Returns the composition to draw at the cursor; undefined also if another part, such as a search, receives the text
 * and shows it.
 */
function shownPreedit(
  { engine, viewport, textInput }: Pick<FeatureParts, 'engine' | 'viewport' | 'textInput'>,
  client: InputMethodClient,
): ShownPreedit | undefined {
  const composition = client.session?.preedit.composition;
  if (composition === undefined || textInput.place() !== undefined) return undefined;
  const { row, column } = engine.cursor;
  return { ...composition, row: row + viewport.linesAbove, column, columns: engine.columns };
}

/** Returns the lower left corner of the cell that gets the next text, in pixels. */
function spotOf({
  engine,
  viewport,
  grid,
  textInput,
}: Pick<FeatureParts, 'engine' | 'viewport' | 'grid' | 'textInput'>): { x: number; y: number } {
  const { cell } = grid.metrics(undefined);
  const inset = grid.textPixelAt({ x: 0, y: 0 });
  const { cursor } = engine;
  const { row, column } = textInput.place() ?? { row: cursor.row + viewport.linesAbove, column: cursor.column };
  return { x: column * cell.width - inset.x, y: (row + 1) * cell.height - inset.y };
}

/** The fields of a key event on the wire. X11 protocol, appendix B */
function keyEventIn(bytes: Buffer, window: number): WireEvent {
  const type = bytes.readUInt8(0) & ~SENT_FLAG;
  return {
    type,
    name: type === 3 ? 'KeyRelease' : 'KeyPress',
    wid: window,
    keycode: bytes.readUInt8(1),
    time: bytes.readUInt32LE(4),
    root: bytes.readUInt32LE(8),
    x: bytes.readInt16LE(24),
    y: bytes.readInt16LE(26),
    buttons: bytes.readUInt16LE(28),
    rawData: bytes,
  } as WireEvent;
}
