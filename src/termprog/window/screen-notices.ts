import type { Diagnostics } from '../diagnostics.ts';
import type { XConnection } from '../x11/connection.ts';
import { SCREEN_CHANGED, screenSizeIn, watchScreen } from '../x11/screen-changes.ts';
import { ResourceDatabase } from '../xresource/database.ts';
import { parseResources } from '../xresource/resource-syntax.ts';
import type { EventRouter } from './event-router.ts';
import { PacedStep } from './paced-step.ts';

/** Predefined atoms; X11 protocol, Appendix B. */
const RESOURCE_MANAGER = 23;
const STRING = 31;

const PROPERTY_CHANGE_MASK = 1 << 22;

export interface NoticeParts {
  connection: XConnection;
  router: Pick<EventRouter, 'attach'>;
  diagnostics: Diagnostics;
}

/**
 * Logs that the screen or the resolution of fonts has changed: a terminal that is open keeps its fonts. Nothing is asked
 * of the server between such changes. ours: decisions/0110
 */
export class ScreenNotices {
  readonly #parts: NoticeParts;
  /** As it was read last; undefined before. */
  #dpi: { value: string } | undefined;
  /** The size of the screen that was told last, and the one that it has. */
  #toldScreen: string;
  #screen: string;
  /** Programs may change either thousands of times: what it is after a while is enough. */
  readonly #reading = new PacedStep(() => this.#readDpi());
  readonly #tellingScreen = new PacedStep(() => this.#tellScreen());

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    const {
      pixel_width: width,
      pixel_height: height,
      mm_width: widthMm,
      mm_height: heightMm,
    } = parts.connection.screen;
    this.#screen = spellSize({ width, height, widthMm, heightMm });
    this.#toldScreen = this.#screen;
  }

  /** Call it when the first frame is on its way. What the server refuses is not told of later. */
  async start(): Promise<void> {
    const { connection, router } = this.#parts;
    const { firstRoot, screen } = connection;
    // Resources of all screens are at the first one.
    connection.client.ChangeWindowAttributes(firstRoot, { eventMask: PROPERTY_CHANGE_MASK });
    router.attach(firstRoot, {
      PropertyNotify: ({ atom }) => {
        if (atom === RESOURCE_MANAGER) this.#reading.ask();
      },
    });
    router.attach(screen.root, {
      [SCREEN_CHANGED]: (event) => {
        this.#screen = spellSize(screenSizeIn(event));
        this.#tellingScreen.ask();
      },
    });
    this.#reading.ask();
    await watchScreen(connection).catch(() => {});
  }

  #tellScreen(): void {
    if (this.#screen === this.#toldScreen) return;
    this.#toldScreen = this.#screen;
    this.#parts.diagnostics.info(`the screen now has ${this.#screen}; fonts keep their sizes`);
  }

  async #readDpi(): Promise<void> {
    const { connection } = this.#parts;
    const text = await connection.readProperty(connection.firstRoot, RESOURCE_MANAGER, STRING);
    this.#takeDpi(dpiIn(text ?? ''));
  }

  #takeDpi(value: string): void {
    const before = this.#dpi?.value;
    this.#dpi = { value };
    if (before === undefined || value === before) return;
    this.#parts.diagnostics.info(`Xft.dpi is now ${value}, and was ${before}; fonts keep their sizes`);
  }
}

/** Lines for this resource, by their names. A database of all lines, of which there may be megabytes, would hold up the terminal. */
const DPI_LINES = /^[ \t]*((?:Xft|[*?.])*[dD]pi)[ \t]*:.*$/gm;

/** Different names of which the values are looked at; people write one or two. */
const NAMES_MAX = 100;

/** The resolution that a text of resources gives to fonts, as it was written. */
function dpiIn(text: string): string {
  const database = new ResourceDatabase();
  // The last line of a name counts.
  const lines = new Map<string | undefined, string>();
  for (const [line, name] of text.matchAll(DPI_LINES))
    if (lines.size < NAMES_MAX || lines.has(name)) lines.set(name, line);
  for (const entry of parseResources([...lines.values()].join('\n'))) database.put(entry, 'RESOURCE_MANAGER');
  return database.lookup({ names: ['Xft', 'dpi'], classes: ['Xft', 'Dpi'] })?.value.trim() ?? 'unset';
}

function spellSize({ width, height, widthMm, heightMm }: ReturnType<typeof screenSizeIn>): string {
  return `${width}x${height} pixels on ${widthMm}x${heightMm} mm`;
}
