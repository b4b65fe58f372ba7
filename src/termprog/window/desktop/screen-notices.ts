import type { Diagnostics } from '../../diagnostics.ts';
import { SCREEN_CHANGED, screenSizeIn, watchScreen } from '../../x11/screen-changes.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { ResourceDatabase } from '../../xresource/resource-database.ts';
import { parseResources } from '../../xresource/resource-syntax.ts';
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
 * Logs when the screen or the resolution of fonts has changed: an open terminal keeps its fonts. Between such changes
 * it sends no requests. ours: decision 110
 */
export class ScreenNotices {
  readonly #parts: NoticeParts;
  /** The value that was read last; undefined before the first one. */
  #dpi: { value: string } | undefined;
  /** The size of the screen that was logged last, and the present one. */
  #loggedScreen: string;
  #screen: string;
  /** Programs may change either thousands of times: the state after a pause suffices. */
  readonly #reading = new PacedStep(() => this.#readDpi());
  readonly #loggingScreen = new PacedStep(() => this.#logScreen());

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    const {
      pixel_width: width,
      pixel_height: height,
      mm_width: widthMm,
      mm_height: heightMm,
    } = parts.connection.screen;
    this.#screen = spellSize({ width, height, widthMm, heightMm });
    this.#loggedScreen = this.#screen;
  }

  /** Starts to watch. Call it when the first frame is on its way. */
  async start(): Promise<void> {
    const { connection, router } = this.#parts;
    const { firstRoot, screen } = connection;
    // The first screen's root window holds the resources of all screens.
    connection.client.ChangeWindowAttributes(firstRoot, { eventMask: PROPERTY_CHANGE_MASK });
    router.attach(firstRoot, {
      PropertyNotify: ({ atom }) => {
        if (atom === RESOURCE_MANAGER) this.#reading.ask();
      },
    });
    router.attach(screen.root, {
      [SCREEN_CHANGED]: (event) => {
        this.#screen = spellSize(screenSizeIn(event));
        this.#loggingScreen.ask();
      },
    });
    this.#reading.ask();
    // The query fails only when the connection is gone, which is reported elsewhere.
    await watchScreen(connection).catch(() => {});
  }

  #logScreen(): void {
    if (this.#screen === this.#loggedScreen) return;
    this.#loggedScreen = this.#screen;
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

/**
 * Matches the lines of this resource and captures their names. Parsing all lines, possibly megabytes, would hold up the
 * terminal.
 */
const DPI_LINES = /^[ \t]*((?:Xft|[*?.])*[dD]pi)[ \t]*:.*$/gm;

/** Most distinct names whose values are read; people write one or two. */
const NAMES_MAX = 100;

/** The font resolution that a text of resources sets, as it was written. */
function dpiIn(text: string): string {
  const database = new ResourceDatabase();
  // The last line with a name wins.
  const lines = new Map<string | undefined, string>();
  for (const [line, name] of text.matchAll(DPI_LINES))
    if (lines.size < NAMES_MAX || lines.has(name)) lines.set(name, line);
  for (const entry of parseResources([...lines.values()].join('\n'))) database.put(entry, 'RESOURCE_MANAGER');
  return database.lookup({ names: ['Xft', 'dpi'], classes: ['Xft', 'Dpi'] })?.value.trim() ?? 'unset';
}

function spellSize({ width, height, widthMm, heightMm }: ReturnType<typeof screenSizeIn>): string {
  return `${width}x${height} pixels on ${widthMm}x${heightMm} mm`;
}
