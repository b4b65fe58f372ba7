import type { WireEvent } from 'x11';
import type { Rgb } from '../../color/parse-color.ts';
import { numberOf } from '../../render/pixel-values.ts';
import { ScrollbarActions } from '../../scrollbar/scrollbar-actions.ts';
import { scrollbarBindings } from '../../scrollbar/scrollbar-bindings.ts';
import { ownScrollbarColor, reversedColors, type ScrollbarColorName } from '../../scrollbar/scrollbar-colors.ts';
import { insetOf, readScrollbarSettings, scrollbarResource } from '../../scrollbar/scrollbar-settings.ts';
import { type ScrollbarColors, ScrollbarWindow } from '../../scrollbar/scrollbar-window.ts';
import { thumbOf } from '../../scrollbar/thumb.ts';
import { opacityOf } from '../frame/choose-visual.ts';
import { colorOf } from '../frame/text-colors.ts';
import { inputOf } from '../input/bound-event.ts';
import { meaningsOf } from '../input/meanings-of.ts';
import type { FeatureParts } from './feature-parts.ts';

/** The scrollbar's interface to the window. */
export interface ScrollbarFeature {
  /** Draws pending changes; runs before each frame. */
  beforeFrame(): void;
}

/** Colours as configured, before any reversal. */
interface ConfiguredColors {
  background: Rgb;
  foreground: Rgb;
  border: Rgb;
}

export type ScrollbarParts = Pick<
  FeatureParts,
  | 'connection'
  | 'router'
  | 'window'
  | 'engine'
  | 'viewport'
  | 'grid'
  | 'colors'
  | 'pixels'
  | 'options'
  | 'resources'
  | 'keymap'
  | 'diagnostics'
  | 'redraw'
>;

/** The scrollbar beside the text, present while the option `scrollBar` is on. */
export function createScrollbar(parts: ScrollbarParts): ScrollbarFeature {
  const { options, grid } = parts;
  let scrollbar = options.get('scrollBar') ? new Scrollbar(parts) : undefined;
  scrollbar?.show();
  const toggle = (): void => {
    const isShown = options.get('scrollBar');
    if (isShown) scrollbar ??= new Scrollbar(parts);
    if (isShown) scrollbar?.show();
    else scrollbar?.hide();
    const settings = readScrollbarSettings(options, parts.resources, () => {});
    void grid.setInset(insetOf(settings, isShown));
  };
  options.watch(['scrollBar'], toggle);
  return { beforeFrame: () => scrollbar?.draw() };
}

/** Bits of an event's state for buttons; X11 protocol, KEYBUTMASK. */
const BUTTON_BITS = 0x1f00;

class Scrollbar {
  readonly #parts: ScrollbarParts;
  readonly #window: ScrollbarWindow;
  readonly #thumbLeast: number;
  #configured: ConfiguredColors;
  #isShown = false;

  constructor(parts: ScrollbarParts) {
    this.#parts = parts;
    const { connection, window: parent, options, resources, colors, grid, router, diagnostics } = parts;
    const settings = readScrollbarSettings(options, resources, () => {});
    this.#thumbLeast = settings.thumbLeast;
    this.#configured = colors;
    const size = grid.size;
    this.#window = new ScrollbarWindow({ connection, parent, settings, colors: this.#colors, size });
    const handle = this.#createHandler((message) => diagnostics.warning(message));
    router.attach(this.#window.id, {
      Expose: ({ count }) => this.#takeExposure(count),
      ButtonPress: handle,
      ButtonRelease: handle,
      MotionNotify: handle,
    });
    grid.watchSize((changed) => this.#window.resize(changed));
    options.watch(['background', 'foreground', 'borderColor'], () => void this.#loadColors());
    options.watch(['backgroundOpacity'], () => this.#window.setColors(this.#colors));
    const names: readonly ScrollbarColorName[] = ['background', 'foreground', 'borderColor'];
    if (names.some((name) => ownScrollbarColor(resources, name) !== undefined)) void this.#loadColors();
  }

  show(): void {
    this.#isShown = true;
    this.#window.show();
    this.draw();
  }

  hide(): void {
    this.#isShown = false;
    this.#window.hide();
  }

  draw(): void {
    if (!this.#isShown) return;
    const { engine, viewport } = this.#parts;
    const { historyLines, rows } = engine;
    const position = { historyLines, rows, linesAbove: viewport.linesAbove };
    this.#window.setColors(this.#colors);
    this.#window.setThumb(thumbOf(position, this.#window.length, this.#thumbLeast));
  }

  #takeExposure(count: number): void {
    if (count > 0) return;
    this.#window.takeExposure();
    this.#parts.connection.flush();
  }

  #createHandler(warn: (message: string) => void): (event: WireEvent) => void {
    const { resources, options, keymap } = this.#parts;
    const callsOf = scrollbarBindings(scrollbarResource(resources, 'translations'), {
      keys: meaningsOf(keymap),
      multiClickMs: () => options.get('multiClickTime'),
      warn,
    });
    const actions = this.#createActions();
    return (event) => {
      const bound = inputOf(event);
      if (bound === undefined) return;
      // The release of the earlier button went to another window.
      if (bound.event === 'ButtonPress' && (bound.state & BUTTON_BITS) === 0) actions.end();
      const isIncidental = bound.event === 'MotionNotify';
      for (const call of callsOf({ ...bound, isIncidental })) actions.run(call, event.y);
    };
  }

  #createActions(): ScrollbarActions {
    const { engine, viewport, grid } = this.#parts;
    return new ScrollbarActions({
      length: () => this.#window.length,
      lineHeight: () => grid.metrics(undefined).cell.height,
      scrollBy: (lines) => viewport.scrollBy(lines),
      scrollTo: (share) => {
        const firstLine = Math.trunc(Math.fround(share * (engine.historyLines + engine.rows)));
        viewport.scrollBy(engine.historyLines - firstLine - viewport.linesAbove);
      },
      showUse: (use) => this.#window.cursors.show(use),
    });
  }

  get #colors(): ScrollbarColors {
    const { options, engine, pixels } = this.#parts;
    const isReversed = options.get('reverseVideo') !== engine.modes.get('reverseScreen');
    const { background, foreground, border } = reversedColors(this.#configured, isReversed);
    return {
      background: pixels.translucent(numberOf(background), opacityOf(options)),
      foreground: pixels.opaque(numberOf(foreground)),
      border: pixels.opaque(numberOf(border)),
    };
  }

  /**
   * Loads the scrollbar's own colours, or the terminal's if it has none. Names that the server does not know are
   * skipped.
   */
  async #loadColors(): Promise<void> {
    const { connection, options, resources, redraw } = this.#parts;
    const load = async (name: ScrollbarColorName, fallback: Rgb): Promise<Rgb> => {
      const own = ownScrollbarColor(resources, name);
      const color = own === undefined ? undefined : await colorOf(connection, own);
      return color ?? (await colorOf(connection, options.get(name))) ?? fallback;
    };
    const { background, foreground, border } = this.#configured;
    await Promise.all([
      load('background', background),
      load('foreground', foreground),
      load('borderColor', border),
    ]).then(
      ([trough, thumb, edge]) => {
        this.#configured = { background: trough, foreground: thumb, border: edge };
        redraw();
      },
      // A failure means that the connection is gone, which is reported elsewhere.
      () => {},
    );
  }
}
