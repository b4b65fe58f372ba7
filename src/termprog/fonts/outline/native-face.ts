import { statSync } from 'node:fs';
import { FaceUnavailableError } from '../../errors.ts';
import type { Matrix } from './font-settings.ts';
import {
  ENCODING_MS_SYMBOL,
  FACE,
  GLYPH_FORMAT_BITMAP,
  MATRIX_ONE,
  SIZE,
  SLOT,
  STRIKE,
  SYMBOL_OFFSET,
  UNITS_PER_PIXEL,
} from './freetype.ts';
import type { OutlineLibraries } from './libraries.ts';

/** A size as FreeType rounded it, in 64ths of a pixel. */
export interface SizeMetrics {
  readonly ascender: number;
  /** Negative below the baseline. */
  readonly descender: number;
  readonly height: number;
  readonly maxAdvance: number;
}

/** A loaded glyph: its metrics in 64ths of a pixel, and its picture once it is rendered. */
export interface GlyphSlot {
  readonly width: number;
  readonly height: number;
  readonly advance: number;
  readonly isPicture: boolean;
  readonly picture: {
    readonly rows: number;
    /** Bytes or bits, depending on `mode`. */
    readonly columns: number;
    /** Bytes from a row to the one below; negative when rows go upwards. */
    readonly pitch: number;
    readonly address: number;
    readonly mode: number;
    readonly left: number;
    readonly top: number;
  };
}

/** A thin wrapper of an open FreeType face, in FreeType's units. */
export class NativeFace {
  readonly flags: number;
  readonly glyphCount: number;
  readonly unitsPerEm: number;
  readonly #libraries: OutlineLibraries;
  readonly #address: number;
  readonly #slot: number;
  readonly #size: number;
  readonly #isSymbol: boolean;
  #isOpen = true;

  /** @throws FaceUnavailableError when FreeType can't read the file */
  static open(libraries: OutlineLibraries, library: number, file: string, index: number): NativeFace {
    if (waitsForWriters(file)) throw new FaceUnavailableError(`the font file ${file} can't be read: it is a pipe`);
    const address = new BigUint64Array(1);
    const error = libraries.freetype.newFace(library, file, index, address);
    if (error !== 0) throw new FaceUnavailableError(`the font file ${file} can't be read (FreeType error ${error})`);
    return new NativeFace(libraries, Number(address[0]));
  }

  constructor(libraries: OutlineLibraries, address: number) {
    this.#libraries = libraries;
    this.#address = address;
    const view = this.#read(address, FACE.bytes);
    this.flags = Number(view.getBigInt64(FACE.flags, true));
    this.glyphCount = Number(view.getBigInt64(FACE.glyphCount, true));
    this.unitsPerEm = view.getUint16(FACE.unitsPerEm, true);
    this.#slot = Number(view.getBigUint64(FACE.slot, true));
    this.#size = Number(view.getBigUint64(FACE.size, true));
    // FreeType selects a Unicode map itself, if there is one.
    const hasMap = view.getBigUint64(FACE.charmap, true) !== 0n;
    this.#isSymbol = !hasMap && libraries.freetype.selectCharmap(address, ENCODING_MS_SYMBOL) === 0;
  }

  /** Returns the sizes in pixels of the pictures in the file. */
  strikes(): number[] {
    const face = this.#read(this.#address, FACE.bytes);
    const count = face.getInt32(FACE.strikeCount, true);
    if (count <= 0) return [];
    const view = this.#read(Number(face.getBigUint64(FACE.strikes, true)), count * STRIKE.bytes);
    return Array.from(
      { length: count },
      (_, strike) => Number(view.getBigInt64(strike * STRIKE.bytes + STRIKE.yPpem, true)) / UNITS_PER_PIXEL,
    );
  }

  /**
   * @param width in 64ths of a pixel, like the height
   * @returns false when the face has no such size
   */
  setSize(width: number, height: number): boolean {
    return this.#libraries.freetype.setCharSize(this.#address, width, height, 0, 0) === 0;
  }

  /** Selects the pictures of a size. Returns false when that fails. */
  selectStrike(strike: number): boolean {
    return this.#libraries.freetype.selectSize(this.#address, strike) === 0;
  }

  setMatrix({ xx, xy, yx, yy }: Matrix): void {
    const fixed = BigInt64Array.from([xx, xy, yx, yy].map((factor) => BigInt(Math.trunc(factor * MATRIX_ONE))));
    this.#libraries.freetype.setTransform(this.#address, fixed, 0);
  }

  sizeMetrics(): SizeMetrics {
    const view = this.#read(this.#size, SIZE.bytes);
    const at = (place: number): number => Number(view.getBigInt64(place, true));
    return {
      ascender: at(SIZE.ascender),
      descender: at(SIZE.descender),
      height: at(SIZE.height),
      maxAdvance: at(SIZE.maxAdvance),
    };
  }

  /** Returns the glyph of a code point; 0 if there is none. */
  glyphOf(codePoint: number): number {
    const { charIndex } = this.#libraries.freetype;
    const glyph = charIndex(this.#address, codePoint);
    if (glyph !== 0 || !this.#isSymbol || codePoint > 0xff) return glyph;
    return charIndex(this.#address, SYMBOL_OFFSET + codePoint);
  }

  /** Returns the face's own glyph for a code point with a variation selector; 0 if there is none. */
  variantOf(codePoint: number, selector: number): number {
    return this.#libraries.freetype.variantIndex(this.#address, codePoint, selector);
  }

  /** Loads a glyph. Returns false when that fails. */
  load(glyph: number, flags: number): boolean {
    return this.#libraries.freetype.loadGlyph(this.#address, glyph, flags) === 0;
  }

  embolden(): void {
    this.#libraries.freetype.embolden(this.#slot);
  }

  /** Renders the loaded outline to a picture. Returns false when that fails. */
  render(mode: number): boolean {
    return this.#libraries.freetype.renderGlyph(this.#slot, mode) === 0;
  }

  /** Returns the glyph that is loaded now. */
  slot(): GlyphSlot {
    const view = this.#read(this.#slot, SLOT.bytes);
    return {
      width: Number(view.getBigInt64(SLOT.width, true)),
      height: Number(view.getBigInt64(SLOT.height, true)),
      advance: Number(view.getBigInt64(SLOT.advanceX, true)),
      isPicture: view.getUint32(SLOT.format, true) === GLYPH_FORMAT_BITMAP,
      picture: {
        rows: view.getUint32(SLOT.rows, true),
        columns: view.getUint32(SLOT.columns, true),
        pitch: view.getInt32(SLOT.pitch, true),
        address: Number(view.getBigUint64(SLOT.buffer, true)),
        mode: view.getUint8(SLOT.pixelMode),
        left: view.getInt32(SLOT.left, true),
        top: view.getInt32(SLOT.top, true),
      },
    };
  }

  /** Returns the glyphs of a glyph's colour layers from the lowest on, at most `most`. */
  colorLayers(glyph: number, most: number): number[] {
    const layer = new Uint32Array(1);
    const color = new Uint32Array(1);
    // The iterator holds num_layers, layer, and the address of the table.
    const iterator = new BigUint64Array(2);
    const next = (): boolean => this.#libraries.freetype.colorLayer(this.#address, glyph, layer, color, iterator) !== 0;
    const glyphs: number[] = [];
    while (glyphs.length < most && next()) glyphs.push(layer[0] ?? 0);
    return glyphs;
  }

  /** Returns the start of a table of the file; undefined if there is no such table. */
  table(tag: string, bytes: number): DataView | undefined {
    const code = new DataView(Uint8Array.from(tag, (letter) => letter.charCodeAt(0)).buffer).getUint32(0);
    const read = new Uint8Array(bytes);
    const length = BigUint64Array.of(BigInt(bytes));
    const error = this.#libraries.freetype.loadTable(this.#address, code, 0, read, length);
    return error === 0 ? new DataView(read.buffer) : undefined;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#libraries.freetype.doneFace(this.#address);
  }

  #read(address: number, bytes: number): DataView {
    return new DataView(this.#libraries.memory.copy(address, bytes).buffer);
  }
}

/** Whether the file is a pipe: opening one without a writer would block forever. FreeType finds other faults. */
function waitsForWriters(file: string): boolean {
  try {
    return statSync(file).isFIFO();
  } catch {
    // FreeType opens the file next, and reports that it is absent or inaccessible.
    return false;
  }
}
