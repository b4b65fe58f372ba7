import x11 from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import { ScrollbarCursors } from './scrollbar-cursors.ts';
import type { ScrollbarSettings } from './scrollbar-settings.ts';
import { type PixelSpan, thumbChanges } from './thumb.ts';

const { eventMask } = x11;

const EVENTS = ['ButtonPress', 'ButtonRelease', 'ButtonMotion', 'Exposure'].reduce(
  (mask, name) => mask | (eventMask[name] ?? 0),
  0,
);

/** Copies the parent's depth, class and visual; X11 protocol, CreateWindow. */
const COPY_FROM_PARENT = 0;

/** Fill styles; X11 protocol, CreateGC. */
const SOLID = 0;
const OPAQUE_STIPPLED = 3;

/** Pattern of the thumb: every other pixel, in alternating rows. */
const PATTERN_SIZE = 2;
const PATTERN_PIXELS: readonly (readonly [x: number, y: number])[] = [
  [1, 0],
  [0, 1],
];

/** Pixel values. */
export interface ScrollbarColors {
  background: number;
  foreground: number;
  border: number;
}

export interface ScrollbarWindowParts {
  connection: XConnection;
  /** The terminal's window. */
  parent: number;
  settings: ScrollbarSettings;
  colors: ScrollbarColors;
  /** Size of the terminal's window, in pixels. */
  size: { width: number; height: number };
}

/**
 * The scrollbar on the screen: a window inside the terminal's, with a thumb. It owns the window, its graphics context
 * and the drawn state.
 */
export class ScrollbarWindow {
  readonly id: number;
  readonly cursors: ScrollbarCursors;
  readonly #connection: XConnection;
  readonly #settings: ScrollbarSettings;
  readonly #gc: number;
  #colors: ScrollbarColors;
  #size: { width: number; height: number };
  #thumb: PixelSpan = { top: 0, bottom: 0 };
  /** The drawn part of the thumb; undefined before the first exposure. */
  #drawn: PixelSpan | undefined;
  #isExposed = false;

  constructor({ connection, parent, settings, colors, size }: ScrollbarWindowParts) {
    const { client } = connection;
    this.#connection = connection;
    this.#settings = settings;
    this.#colors = colors;
    this.#size = size;
    this.id = client.AllocID();
    this.#gc = client.AllocID();
    const { x, y, width, height } = this.#place;
    const { border } = settings;
    client.CreateWindow(this.id, parent, x, y, width, height, border, COPY_FROM_PARENT, COPY_FROM_PARENT, 0, {
      backgroundPixel: colors.background,
      borderPixel: colors.border,
      eventMask: EVENTS,
    });
    this.#createContext();
    this.cursors = new ScrollbarCursors(connection, this.id);
  }

  /** Pixels from its top to its bottom. */
  get length(): number {
    return this.#size.height;
  }

  show(): void {
    this.cursors.load();
    this.#connection.client.MapWindow(this.id);
  }

  hide(): void {
    this.#connection.client.UnmapWindow(this.id);
    this.#isExposed = false;
    this.#drawn = undefined;
  }

  /** Follows the size of the terminal's window. */
  resize(size: { width: number; height: number }): void {
    const before = this.#place;
    this.#size = size;
    const place = this.#place;
    // The server then clears the window and sends exposures.
    if (place.x !== before.x || place.height !== before.height)
      this.#connection.client.ConfigureWindow(this.id, { ...place });
  }

  setThumb(thumb: PixelSpan): void {
    this.#thumb = thumb;
    if (this.#isExposed) this.#paint();
  }

  /** The server has cleared a part of the window. */
  takeExposure(): void {
    this.#isExposed = true;
    this.#drawn = undefined;
    this.#paint();
  }

  setColors(colors: ScrollbarColors): void {
    const { client } = this.#connection;
    const { background, foreground, border } = this.#colors;
    if (background === colors.background && foreground === colors.foreground && border === colors.border) return;
    this.#colors = colors;
    client.ChangeWindowAttributes(this.id, { backgroundPixel: colors.background, borderPixel: colors.border });
    client.ChangeGC(this.#gc, { foreground: colors.foreground, background: colors.background });
    if (!this.#isExposed) return;
    client.ClearArea(this.id, 0, 0, 0, 0, 0);
    this.#drawn = undefined;
    this.#paint();
  }

  get #place(): { x: number; y: number; width: number; height: number } {
    const { width, border, isRight } = this.#settings;
    const x = isRight ? this.#size.width - width - border : -border;
    return { x, y: -border, width, height: Math.max(1, this.#size.height) };
  }

  #paint(): void {
    const { client } = this.#connection;
    const width = this.#settings.width - 2;
    const changes = thumbChanges(this.#drawn, this.#thumb, this.length);
    this.#drawn = this.#thumb;
    // A width of 0 would clear up to the edge.
    if (width <= 0) return;
    for (const { top, bottom, isThumb } of changes) {
      if (isThumb) client.PolyFillRectangle(this.id, this.#gc, [1, top, width, bottom - top]);
      else client.ClearArea(this.id, 1, top, width, bottom - top, 0);
    }
  }

  #createContext(): void {
    const { client } = this.#connection;
    const { background, foreground } = this.#colors;
    if (!this.#settings.isStippled) {
      client.CreateGC(this.#gc, this.id, { foreground, background, fillStyle: SOLID });
      return;
    }
    const pattern = client.AllocID();
    const bits = client.AllocID();
    client.CreatePixmap(pattern, this.id, 1, PATTERN_SIZE, PATTERN_SIZE);
    client.CreateGC(bits, pattern, { foreground: 0 });
    client.PolyFillRectangle(pattern, bits, [0, 0, PATTERN_SIZE, PATTERN_SIZE]);
    client.ChangeGC(bits, { foreground: 1 });
    client.PolyFillRectangle(
      pattern,
      bits,
      PATTERN_PIXELS.flatMap(([x, y]) => [x, y, 1, 1]),
    );
    client.CreateGC(this.#gc, this.id, { foreground, background, fillStyle: OPAQUE_STIPPLED, stipple: pattern });
    client.FreeGC(bits);
    // The server keeps it while the context uses it.
    client.FreePixmap(pattern);
  }
}
