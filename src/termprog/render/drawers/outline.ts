import type { FaceRoute, RouteStep } from '../../fonts/routing/route.ts';
import type { ClusterRouter, OutlineSlotFonts } from '../../fonts/slot-fonts.ts';
import { type ClusterImage, drawCluster } from '../cluster-image.ts';
import type { PlacedImage } from '../color-glyphs.ts';
import type { OutlineText } from '../outline-text.ts';
import type { Run } from '../run.ts';
import type { CreateDrawer, Drawer, DrawerParts, Glyph, Slot } from './drawer.ts';

const BLANK = 0x20;

/** Shift of the variant bits (bold, italic, wide) above the code point in a glyph's number. */
const VARIANT_SHIFT = 21;

/** Sides on which a glyph's ink lies outside its cells. */
const LEFT = 1;
const RIGHT = 2;

/** Cost of a cluster's code point and of a colour picture, relative to the search for one character. */
const CLUSTER_COST = 5;
const COLOR_COST = 10;

interface OutlineSlot extends Slot {
  kind: ClusterImage['format'];
  variant: number;
}

/** A picture with its own colours, placed relative to its cells. */
interface ColorGlyph {
  image: PlacedImage;
  left: number;
  top: number;
}

/** Draws text in the faces of font files: as coverage in the colour of text, or as pictures with their own colours. */
class OutlineDrawer implements Drawer {
  readonly #parts: DrawerParts;
  readonly #fonts: OutlineSlotFonts | undefined;
  readonly #text: OutlineText | undefined;
  readonly #step: RouteStep;
  readonly #slots: OutlineSlot[] = [];
  /** Glyph number → sides where it overhangs, and glyph number → its colour picture. */
  readonly #overhangs = new Map<number, number>();
  readonly #colors = new Map<number, ColorGlyph>();
  /** Marks of a cluster → its glyph number; the router keeps one array per cluster. */
  readonly #clusters = new WeakMap<readonly number[], number>();
  #ids = new Uint32Array(256);

  constructor(parts: DrawerParts, step: RouteStep) {
    this.#parts = parts;
    this.#step = step;
    this.#fonts = parts.fonts.kind === 'outline' ? parts.fonts : undefined;
    this.#text = this.#fonts && parts.graphics.outlineText;
  }

  slotFor(glyph: Glyph): Slot | undefined {
    const [fonts, text] = [this.#fonts, this.#text];
    if (fonts === undefined || text === undefined) return undefined;
    const variant = variantOf(glyph);
    const isCluster = glyph.marks.length > 0;
    if (glyph.codePoint <= BLANK && !isCluster) return this.#slot('alpha', variant, 1);
    text.countFound(isCluster ? CLUSTER_COST * (1 + glyph.marks.length) : 1);
    const image = this.#draw(glyph, fonts.router);
    if (image === undefined) return undefined;
    if (image.format === 'color') text.countFound(COLOR_COST);
    const id = isCluster ? text.newClusterId() : glyph.codePoint | (variant << VARIANT_SHIFT);
    if (!this.#keep(text, id, image, glyph.cells)) return undefined;
    if (isCluster) this.#clusters.set(glyph.marks, id);
    return this.#slot(image.format, variant, glyph.cells);
  }

  overhangs(codePoint: number, marks: readonly number[] | undefined, slot: Slot): boolean {
    return this.#overhangs.has(this.#idOf(codePoint, marks, slot as OutlineSlot));
  }

  draw(run: Run, slot: Slot): void {
    const { graphics } = this.#parts;
    const { style, x, y, width, height } = run;
    graphics.fillPaper(style.background, x, y, width, height);
    // Hidden text has only a background.
    if (this.#text === undefined || style.foreground === style.background) return;
    const { kind } = slot as OutlineSlot;
    if (kind === 'color') this.#drawColors(this.#text, run, slot as OutlineSlot);
    else this.#drawText(this.#text, run, slot as OutlineSlot, kind);
  }

  release(): void {
    this.#text?.clear();
  }

  get isFull(): boolean {
    return this.#text?.isFull === true;
  }

  #drawText(text: OutlineText, run: Run, slot: OutlineSlot, kind: 'alpha' | 'subpixel'): void {
    const { style, x, y, characters, marks, hasMarks } = run;
    const { codes, count, advance } = characters;
    if (this.#ids.length < count) this.#ids = new Uint32Array(count);
    const ids = this.#ids;
    let hangs = false;
    for (let index = 0; index < count; index += 1) {
      const id = this.#idOf(codes[index] ?? BLANK, hasMarks ? marks[index] : undefined, slot);
      ids[index] = id;
      hangs ||= this.#overhangs.has(id);
    }
    const baseline = y + (this.#fonts?.ascent ?? 0);
    const row = { glyphSet: text.setOf(kind), color: style.foreground, x, baseline, ids, count, advance };
    if (!hangs) {
      text.draw(row);
      return;
    }
    const first = this.#overhangs.get(ids[0] ?? BLANK) ?? 0;
    const last = this.#overhangs.get(ids[count - 1] ?? BLANK) ?? 0;
    text.drawJoined(row, (first & LEFT) !== 0 || (last & RIGHT) !== 0 ? run : undefined);
  }

  #drawColors(text: OutlineText, run: Run, slot: OutlineSlot): void {
    const { x, y, characters, marks, hasMarks } = run;
    const { codes, count, advance } = characters;
    for (let index = 0; index < count; index += 1) {
      const glyph = this.#colors.get(this.#idOf(codes[index] ?? BLANK, hasMarks ? marks[index] : undefined, slot));
      if (glyph !== undefined) text.drawImage(glyph.image, x + index * advance + glyph.left, y + glyph.top);
    }
  }

  #idOf(codePoint: number, marks: readonly number[] | undefined, { variant }: OutlineSlot): number {
    if (marks !== undefined && marks.length > 0) return this.#clusters.get(marks) ?? BLANK;
    return codePoint <= BLANK ? BLANK : codePoint | (variant << VARIANT_SHIFT);
  }

  #draw(glyph: Glyph, router: ClusterRouter): ClusterImage | undefined {
    const { codePoint, marks, cells } = glyph;
    const route = routeOf(router, glyph, [codePoint, ...marks], this.#step);
    const routes = route === undefined ? this.#routeApart(glyph, router) : [route];
    return routes && this.#fonts && drawCluster(routes, cells, this.#fonts);
  }

  /**
   * Routes a cluster that no face can draw as a whole: its marks are drawn over its first character, if faces contain
   * them.
   */
  #routeApart(glyph: Glyph, router: ClusterRouter): FaceRoute[] | undefined {
    const { codePoint, marks } = glyph;
    if (this.#step === 'named' || marks.length === 0) return undefined;
    const alone = (code: number): FaceRoute | undefined =>
      routeOf(router, glyph, [code], 'named') ?? routeOf(router, glyph, [code], 'system');
    const base = alone(codePoint);
    return base && [base, ...marks.flatMap((mark) => alone(mark) ?? [])];
  }

  /** Stores the picture in the server. Returns false if it is too large. */
  #keep(text: OutlineText, id: number, image: ClusterImage, cells: number): boolean {
    const { cell, ascent } = this.#fonts ?? { cell: this.#parts.cell, ascent: 0 };
    const width = cells * cell.width;
    const { format, left, top } = image;
    if (format === 'color') {
      if (image.width === 0) return true;
      const placed = text.addImage(image, { width, height: cell.height });
      if (placed === undefined) return false;
      this.#colors.set(id, { image: placed, left, top: ascent - top });
      return true;
    }
    if (!text.addGlyph(format, { id, advance: width, image })) return false;
    const overhang = (left < 0 ? LEFT : 0) | (left + image.width > width ? RIGHT : 0);
    if (overhang !== 0) this.#overhangs.set(id, overhang);
    return true;
  }

  #slot(kind: ClusterImage['format'], variant: number, cells: number): OutlineSlot {
    const known = this.#slots.find((slot) => slot.kind === kind && slot.variant === variant && slot.cells === cells);
    if (known !== undefined) return known;
    const slot = {
      drawer: this,
      kind,
      variant,
      cells,
      takesBlanks: cells === 1 && kind !== 'color',
      overhangs: true,
      endsAtErased: true,
    };
    this.#slots.push(slot);
    return slot;
  }
}

function routeOf(
  router: ClusterRouter,
  { cells, isBold, isItalic }: Glyph,
  codePoints: readonly number[],
  step: RouteStep,
): FaceRoute | undefined {
  const route = router.route({ codePoints, cells, isBold, isItalic }, step);
  return route.kind === 'face' ? route : undefined;
}

function variantOf({ isBold, isItalic, cells }: Glyph): number {
  return (isBold ? 1 : 0) | (isItalic ? 2 : 0) | (cells === 2 ? 4 : 0);
}

/** Draws with the faces that the user named. */
export const createNamedFaceDrawer: CreateDrawer = (parts) => new OutlineDrawer(parts, 'named');

/** Draws with the system's faces, for characters that no earlier drawer can draw. */
export const createSystemFaceDrawer: CreateDrawer = (parts) => new OutlineDrawer(parts, 'system');
