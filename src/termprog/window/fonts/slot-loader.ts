import type { Diagnostics } from '../../diagnostics.ts';
import { DisplayUnavailableError } from '../../errors.ts';
import { type CoreFont, type OpenedFont, openCoreFont, quoteFontName } from '../../fonts/core-font.ts';
import { faceSizes, needsAreas } from '../../fonts/face-sizes.ts';
import { NO_STYLES, openFirstFont, type StyleFonts } from '../../fonts/font-set.ts';
import type { OutlineSlotFonts, SlotFonts } from '../../fonts/slot-fonts.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { FontSlot } from '../../xresource/font-slots.ts';
import { FontLoading } from './font-loading.ts';
import { type LoadedSlot, loadedOutline } from './loaded-slot.ts';

/**
 * Opens a slot's faces for the outline renderer.
 * @param points size of the faces
 * @param entry the slot's name in the menu
 * @returns undefined on failure; a line in the log gives the reason
 */
export type OpenOutlineSlot = (slot: number, points: number, entry: string) => Promise<OutlineSlotFonts | undefined>;

/** Size in points that the pattern of `faceName` sets, or undefined. */
export type AskOwnPoints = () => Promise<number | undefined>;

export type RendererKind = SlotFonts['kind'];

export interface SlotLoaderParts {
  connection: XConnection;
  slots: readonly FontSlot[];
  /** Named fonts of other styles for slot 0; those of other slots are derived. */
  styles: StyleFonts;
  openOutline: OpenOutlineSlot;
  ownPoints: AskOwnPoints;
  diagnostics: Diagnostics;
}

/** Opens the fonts of slots and compares their sizes. A missing bitmap font is reported once. */
export class SlotLoader {
  readonly #parts: SlotLoaderParts;
  readonly #logged = new Set<number>();
  #areas: Promise<readonly (number | undefined)[]> | undefined;

  constructor(parts: SlotLoaderParts) {
    this.#parts = parts;
  }

  /**
   * Opens the bitmap fonts of slot 0, which the program can't do without.
   * @throws FontUnavailableError when even the last resort is missing
   */
  async openDefault(): Promise<LoadedSlot> {
    return this.#loading(0, await this.#openDefaultFont());
  }

  /** Opens the fonts of a slot; undefined when it has no fonts. */
  async open(slot: number, kind: RendererKind): Promise<LoadedSlot | undefined> {
    if (kind === 'outline') {
      const { entry = '' } = this.#parts.slots[slot] ?? {};
      const fonts = await this.#parts.openOutline(slot, await this.#faceSizeOf(slot), entry);
      return fonts && loadedOutline(fonts);
    }
    const first = await this.#openFirst(slot);
    if (first === undefined) this.#logMissing(slot);
    return first && this.#loading(slot, first);
  }

  /** Comparable sizes by slot number; undefined for a slot without a font. */
  async sizes(kind: RendererKind): Promise<readonly (number | undefined)[]> {
    if (kind === 'outline') return this.#faceSizes();
    const areas = await this.#bitmapAreas();
    for (const [slot, area] of areas.entries()) if (area === undefined) this.#logMissing(slot);
    return areas;
  }

  #loading(slot: number, first: OpenedFont): LoadedSlot {
    const { connection, styles, diagnostics } = this.#parts;
    return new FontLoading({ connection, first, settings: slot === 0 ? styles : NO_STYLES, diagnostics });
  }

  /** Size in points. The first slot's size must not need another font: the first frame waits for it. */
  async #faceSizeOf(slot: number): Promise<number> {
    const configured = this.#parts.slots[slot]?.faceSize ?? 0;
    return slot === 0 && configured > 0 ? configured : ((await this.#faceSizes())[slot] ?? 0);
  }

  /** Sizes in points. A size in the pattern replaces that of the first slot, from which others are derived. */
  async #faceSizes(): Promise<readonly number[]> {
    const { slots, ownPoints } = this.#parts;
    const [first = 0, ...others] = slots.map(({ faceSize }) => faceSize);
    const configured = [(await ownPoints()) ?? first, ...others];
    return faceSizes(configured, needsAreas(configured) ? await this.#bitmapAreas() : []);
  }

  /** Cell areas in square pixels; the server is queried once, on first use. */
  #bitmapAreas(): Promise<readonly (number | undefined)[]> {
    this.#areas ??= Promise.all(this.#parts.slots.map(({ number }) => this.#areaOf(number)));
    return this.#areas;
  }

  async #areaOf(slot: number): Promise<number | undefined> {
    const font = await this.#openFirst(slot);
    if (font === undefined) return undefined;
    this.#parts.connection.client.CloseFont(font.id);
    return areaOf(font);
  }

  async #openFirst(slot: number): Promise<OpenedFont | undefined> {
    const { connection, slots } = this.#parts;
    if (slot === 0) return this.#openDefaultFont().catch(withoutDisplay);
    return openCoreFont(connection, slots[slot]?.font ?? '');
  }

  /**
   * Reports a missing bitmap font. Only the bitmap renderer does so: outline fonts have another size to fall back on.
   */
  #logMissing(slot: number): void {
    const { slots, diagnostics } = this.#parts;
    const { font: name = '', resource, entry } = slots[slot] ?? {};
    if (slot === 0 || this.#logged.has(slot)) return;
    this.#logged.add(slot);
    const missing = `the X server has no font ${quoteFontName(name)}`;
    diagnostics.warning(`resource ${resource}: ${missing}; the entry ${entry} of the VT Fonts menu is left out`);
  }

  #openDefaultFont(): Promise<OpenedFont> {
    const { connection, slots, diagnostics } = this.#parts;
    const isLogged = this.#logged.has(0);
    this.#logged.add(0);
    return openFirstFont(connection, slots[0]?.font ?? '', {
      warning: (line) => {
        if (!isLogged) diagnostics.warning(line);
      },
    });
  }
}

function areaOf({ cellWidth, ascent, descent }: CoreFont): number {
  return cellWidth * (ascent + descent);
}

/** Even the last resort may be gone since the start; the end of the connection is reported elsewhere. */
function withoutDisplay(error: unknown): undefined {
  if (error instanceof DisplayUnavailableError) throw error;
}
