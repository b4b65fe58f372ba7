import type { RenderExtension } from '../x11/render-extension.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { ColorGlyphs, type ColorImage, type PlacedImage } from './color-glyphs.ts';
import type { CellSize, Rectangle } from './rectangle.ts';
import { type NumberedGlyph, RenderRequests } from './render-requests.ts';
import type { RequestBuffer } from './request-buffer.ts';
import { ServerGlyphs } from './server-glyphs.ts';
import { SolidSources } from './solid-sources.ts';
import { type GlyphRow, TextLayer } from './text-layer.ts';

/** First glyph number of clusters; other glyphs' numbers come from code point and variant. */
const FIRST_CLUSTER_ID = 1 << 28;

/** Blended text in a window. Owns its glyphs and pictures in the server, and the text that waits to be drawn. */
export class OutlineText {
  readonly #requests: RenderRequests;
  readonly #glyphs: ServerGlyphs;
  readonly #colors: ColorGlyphs;
  readonly #sources: SolidSources;
  readonly #layer: TextLayer;
  readonly #picture: number;
  readonly #clipped: number;
  readonly #createPicture: (id: number) => void;
  #nextClusterId = FIRST_CLUSTER_ID;
  #foundGlyphs = 0;

  constructor(
    { client }: XConnection,
    buffer: RequestBuffer,
    { window, visual, render }: { window: number; visual: WindowVisual; render: RenderExtension },
  ) {
    const requests = new RenderRequests(buffer, render.majorOpcode);
    this.#requests = requests;
    this.#glyphs = new ServerGlyphs(client, requests, render);
    this.#colors = new ColorGlyphs(client, buffer, requests, { format: render.color, window });
    this.#sources = new SolidSources(client, requests, visual);
    this.#createPicture = (id) => requests.createPicture(id, window, render.ofVisual.get(visual.id) ?? 0);
    this.#picture = client.AllocID();
    this.#clipped = client.AllocID();
    this.#createPicture(this.#picture);
    this.#createPicture(this.#clipped);
    const glyphs = this.#glyphs;
    this.#layer = new TextLayer(requests, this.#sources, {
      picture: this.#picture,
      clipped: this.#clipped,
      get blankAdvance() {
        return glyphs.blankAdvance;
      },
      prepare: () => this.#glyphs.flush(),
      maskFormatOf: (glyphSet) => this.#glyphs.maskFormatOf(glyphSet),
    });
  }

  /** @param width of the cells that are drawn from now on; `clear` must precede it */
  setCellWidth(width: number): void {
    this.#glyphs.blankAdvance = width;
  }

  /** Whether the server holds so much that all should be freed and sent again. */
  get isFull(): boolean {
    return this.#glyphs.isFull || this.#colors.isFull;
  }

  /** Bytes that wait to be packed. */
  get waitingBytes(): number {
    return 4 * this.#layer.waitingWords;
  }

  /** Searches for glyphs so far, each up to a tenth of a millisecond; slower ones count as several. */
  get foundGlyphs(): number {
    return this.#foundGlyphs;
  }

  countFound(searches: number): void {
    this.#foundGlyphs += searches;
  }

  /** Returns a new number for the glyph of a cluster. */
  newClusterId(): number {
    return this.#nextClusterId++;
  }

  setOf(kind: 'alpha' | 'subpixel'): number {
    return this.#glyphs.setOf(kind);
  }

  /** Returns false if the glyph is too large. */
  addGlyph(kind: 'alpha' | 'subpixel', glyph: NumberedGlyph): boolean {
    return this.#glyphs.add(kind, glyph);
  }

  /** Returns undefined if the picture is too large. */
  addImage(image: ColorImage, place: CellSize): PlacedImage | undefined {
    return this.#colors.add(image, place);
  }

  /** Adds text whose ink stays in its cells; it is drawn with the next `flush`. */
  draw(row: GlyphRow): void {
    this.#layer.add(row);
  }

  /** Draws text whose ink may lie in neighbouring cells, at once. */
  drawJoined(row: GlyphRow, clip: Rectangle | undefined): void {
    this.#layer.drawJoined(row, clip);
  }

  drawImage({ picture, x, y, width, height }: PlacedImage, left: number, top: number): void {
    this.#requests.composite(picture, this.#picture, { x, y }, { x: left, y: top, width, height });
  }

  /** Draws the waiting text. */
  flush(): void {
    this.#layer.flush();
  }

  /** Draws the waiting text, then frees the glyphs in the server. */
  clear(): void {
    this.flush();
    this.#glyphs.clear();
    this.#colors.clear();
    this.#nextClusterId = FIRST_CLUSTER_ID;
  }

  /** Recreates all server resources, because the server may have refused a request. */
  forget(): void {
    this.#layer.drop();
    this.#glyphs.clear();
    this.#colors.clear();
    this.#sources.clear();
    for (const picture of [this.#picture, this.#clipped]) {
      this.#requests.freePicture(picture);
      this.#createPicture(picture);
    }
  }
}
