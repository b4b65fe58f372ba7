import type { Diagnostics } from '../../diagnostics.ts';
import { OutlineFontsUnavailableError } from '../../errors.ts';
import { openOutlineSlot } from '../../fonts/open-outline-slot.ts';
import { parseFaceName } from '../../fonts/outline/face-name.ts';
import type { OpenFaceSource } from '../../fonts/outline/open-face-source.ts';
import { loadOutlineFonts } from '../../fonts/outline/outline-fonts.ts';
import { screenDpi, XFT_RESOURCES } from '../../fonts/outline/xft-defaults.ts';
import type { RoutingNotes } from '../../fonts/routing/routing-records.ts';
import type { RoutingSettings } from '../../fonts/routing/routing-settings.ts';
import type { OutlineSlotFonts } from '../../fonts/slot-fonts.ts';
import { openRenderExtension, type RenderExtension } from '../../x11/render-extension.ts';
import type { WindowVisual } from '../../x11/window-visual.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { ResourceLookup } from '../../xresource/lookup.ts';

/** Pattern of the reference terminal for an unset `faceName`. */
const DEFAULT_FACE = 'mono';

export interface OutlineOpenerParts {
  connection: XConnection;
  /** The visual of the window. */
  visual: Promise<WindowVisual>;
  /** The resource `faceName`. */
  faceName: string | undefined;
  routing: RoutingSettings;
  resources: Pick<ResourceLookup, 'xft'>;
  notes: RoutingNotes | undefined;
  diagnostics: Diagnostics;
}

/** The prerequisites of outline fonts, apart from a slot's faces. */
interface Ready {
  render: RenderExtension;
  source: OpenFaceSource;
}

/** Opens a slot's faces for the outline renderer. The libraries are loaded with the first slot. */
export class OutlineOpener {
  readonly #parts: OutlineOpenerParts;
  #ready: Promise<Ready | undefined> | undefined;

  constructor(parts: OutlineOpenerParts) {
    this.#parts = parts;
  }

  /**
   * Queries the server and loads the libraries meanwhile; undefined if outline fonts are unavailable, with a log line.
   */
  prepare(): Promise<Ready | undefined> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      if (!(error instanceof OutlineFontsUnavailableError)) throw error;
      this.#parts.diagnostics.warning(`outline fonts can't be used, bitmap fonts are used instead: ${error.message}`);
      return undefined;
    });
    return this.#ready;
  }

  /**
   * Opens the faces of a slot. Undefined if there are no faces; a line in the log gives the reason.
   * @param points size of the faces
   * @param entry the slot's name in the menu
   * @throws DisplayUnavailableError when the server goes away
   */
  async open(slot: number, points: number, entry: string): Promise<OutlineSlotFonts | undefined> {
    const { routing, notes, diagnostics } = this.#parts;
    const ready = await this.prepare();
    if (ready === undefined) return undefined;
    this.#logOthers();
    // A size in the pattern sets that of the first menu entry only; the other entries have sizes of their own.
    const request = { pattern: this.#pattern, size: { points }, overridesSize: slot !== 0 };
    const instead =
      slot === 0 ? 'bitmap fonts are used instead' : `the entry ${entry} of the VT Fonts menu has no outline font`;
    return openOutlineSlot({ ...ready, request, settings: routing, instead, diagnostics, notes });
  }

  /** Size in points that the primary face's pattern sets; undefined without one, and without outline fonts. */
  async ownPoints(): Promise<number | undefined> {
    return (await this.prepare())?.source.pointsOf(this.#pattern);
  }

  #logOthers(): void {
    const { faceName, diagnostics } = this.#parts;
    const others = parseFaceName(faceName ?? '')?.others.map((entry) => `"${entry}"`) ?? [];
    if (others.length === 0) return;
    diagnostics.warning(`resource vt100.faceName: it may have two entries; left out: ${others.join(', ')}`);
  }

  get #pattern(): string {
    return parseFaceName(this.#parts.faceName ?? '')?.primary ?? DEFAULT_FACE;
  }

  async #prepare(): Promise<Ready> {
    const { connection, visual, resources, diagnostics } = this.#parts;
    const asked = openRenderExtension(connection);
    // Its failure is handled after the libraries are loaded, and must not end the program before.
    asked.catch(() => {});
    connection.flush();
    const libraries = loadOutlineFonts(undefined, diagnostics);
    const render = await asked;
    if (!('majorOpcode' in render)) throw new OutlineFontsUnavailableError(render.reason);
    if (!render.ofVisual.has((await visual).id)) {
      throw new OutlineFontsUnavailableError('the X server has no pictures of its windows');
    }
    const { screen } = connection;
    const source = libraries.openSource({
      dpi: screenDpi({ heightPixels: screen.pixel_height, heightMm: screen.mm_height }),
      subpixelOrder: render.subpixelOrder,
      resources: Object.fromEntries(
        XFT_RESOURCES.flatMap((name) => {
          const value = resources.xft(name);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    });
    return { render, source };
  }
}
