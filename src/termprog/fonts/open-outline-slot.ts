import { messageOf } from '../../kernel/errors.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { RenderExtension } from '../x11/render-extension.ts';
import { cellSizeOf } from './outline/cell-size.ts';
import type { Face } from './outline/face.ts';
import type { FaceRequest, FaceSource, FaceVariant } from './outline/face-source.ts';
import { PIXEL_SIZE_MAX } from './outline/open-face.ts';
import { FontRouter } from './routing/font-router.ts';
import type { RoutingNotes } from './routing/routing-records.ts';
import type { RoutingSettings } from './routing/routing-settings.ts';
import type { OutlineSlotFonts } from './slot-fonts.ts';

const PLAIN: FaceVariant = { isBold: false, isItalic: false };

/** Longest side of a cell, in pixels: four times the largest face. */
const CELL_SIDE_MAX = 4 * PIXEL_SIZE_MAX;

export interface OutlineSlotParts {
  readonly source: FaceSource;
  readonly render: RenderExtension;
  /** The first entry of `faceName`, and its size. */
  readonly request: Pick<FaceRequest, 'pattern' | 'size' | 'overridesSize'>;
  readonly settings: RoutingSettings;
  /** Log text about the replacement if the face can't be opened. */
  readonly instead: string;
  readonly diagnostics: Pick<Diagnostics, 'warning'>;
  /** Records font decisions; undefined when they are not collected. */
  readonly notes?: RoutingNotes | undefined;
}

/**
 * Opens the face that determines a slot's cell; other faces are opened on demand. Undefined if there is none that can
 * be used: a line in the log gives the reason.
 */
export function openOutlineSlot(parts: OutlineSlotParts): OutlineSlotFonts | undefined {
  const faces = new PrimaryFaces(parts);
  const plain = faces.face(PLAIN);
  if (plain === undefined) return undefined;
  const { width, height, ascent, descent } = cellSizeOf(plain);
  const cell = { width: Math.max(width, 1), height };
  if (height < 1 || Math.max(cell.width, height) > CELL_SIDE_MAX) {
    faces.warn(`a cell of ${plain.family} has ${cell.width}x${height} pixels; ${parts.instead}`);
    faces.close();
    return undefined;
  }
  faces.charWidth = plain.metrics.maxAdvance;
  const router = new FontRouter({
    ...parts,
    primary: (variant) => faces.face(variant) ?? plain,
    cell,
  });
  const close = (): void => {
    router.close();
    faces.close();
  };
  return { kind: 'outline', cell, ascent, descent, router, render: parts.render, close };
}

/** Opens and caches the primary face in its variants. */
class PrimaryFaces {
  readonly #parts: OutlineSlotParts;
  readonly #faces = new Map<number, Face | undefined>();
  /** Advance of the plain face, in pixels, for the other variants. */
  charWidth: number | undefined;

  constructor(parts: OutlineSlotParts) {
    this.#parts = parts;
  }

  face(variant: FaceVariant): Face | undefined {
    const key = (variant.isBold ? 1 : 0) | (variant.isItalic ? 2 : 0);
    if (!this.#faces.has(key)) this.#faces.set(key, this.#open(variant));
    return this.#faces.get(key);
  }

  warn(what: string): void {
    this.#parts.diagnostics.warning(`resource vt100.faceName: ${what}`);
  }

  close(): void {
    for (const face of this.#faces.values()) face?.close();
    this.#faces.clear();
  }

  #open({ isBold, isItalic }: FaceVariant): Face | undefined {
    const { source, request, instead } = this.#parts;
    const { charWidth } = this;
    const isPlain = !isBold && !isItalic;
    const quoted = `"${request.pattern}"`;
    const candidate = source.match({
      ...request,
      isBold,
      isItalic,
      isPrimary: true,
      ...(charWidth !== undefined && { charWidth }),
    });
    if (candidate === undefined) {
      if (isPlain) this.warn(`no font matches ${quoted}; ${instead}`);
      return undefined;
    }
    try {
      const face = candidate.open();
      if (isPlain && !candidate.isNamedFamily) {
        this.warn(`no font is named ${quoted}; ${candidate.family} is used instead`);
      }
      return face;
    } catch (error) {
      this.warn(`${messageOf(error)}; ${isPlain ? instead : 'the plain face is used instead'}`);
      return undefined;
    }
  }
}
