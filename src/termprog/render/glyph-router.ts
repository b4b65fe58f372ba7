import { BOLD, CODE_MASK, ITALIC } from '../engine/cell.ts';
import type { Drawer, DrawerParts, Glyph, Slot } from './drawers/drawer.ts';
import { drawers } from './drawers/index.ts';

/** Code points per page of the tables. */
const PAGE = 256;

/** Bits of a variant. */
const BOLD_VARIANT = 1;
const ITALIC_VARIANT = 2;
const WIDE_VARIANT = 4;
const VARIANTS = 8;

/** Returns the variant of text from the foreground word of its cell. */
export function variantOf(foregroundWord: number): number {
  return ((foregroundWord & BOLD) === 0 ? 0 : BOLD_VARIANT) | ((foregroundWord & ITALIC) === 0 ? 0 : ITALIC_VARIANT);
}

/** Most cached clusters: those of the longest row, which may be painted in several frames. */
const CLUSTERS_MAX = 8_192;

/** Returns the text of clusters. */
export interface ClusterSource {
  clusterText(number: number): string;
}

/** The slot of a cluster, and its code points. */
export interface RoutedCluster {
  slot: Slot;
  codePoint: number;
  marks: readonly number[];
}

/**
 * Finds the slot that draws a cell, by its code point or cluster, its variant and its width. Code points are cached in
 * tables of slot numbers, clusters in a map by number; each is routed once.
 */
export class GlyphRouter {
  readonly #drawers: readonly Drawer[];
  /** Slots in the order of first use. The tables hold their numbers from 1 on; 0 means "no slot yet". */
  readonly #slots: Slot[] = [];
  readonly #pages: (Uint8Array | undefined)[][] = Array.from({ length: VARIANTS }, () => []);
  /** Cluster number and variant → route. */
  readonly #clusters = new Map<number, RoutedCluster>();

  constructor(parts: DrawerParts) {
    this.#drawers = drawers.map((create) => create(parts));
  }

  /** Returns the slot of a cell without a cluster. */
  slotOf(codePoint: number, style: number, cells: number): Slot {
    const variant = style | (cells === 2 ? WIDE_VARIANT : 0);
    const page = this.#pages[variant]?.[codePoint >> 8];
    const number = page?.[codePoint & (PAGE - 1)] ?? 0;
    return this.#slots[number - 1] ?? this.#findSlot(codePoint, variant);
  }

  clusterOf(content: number, style: number, cells: number, source: ClusterSource): RoutedCluster {
    const number = content & CODE_MASK;
    const variant = style | (cells === 2 ? WIDE_VARIANT : 0);
    const key = number * VARIANTS + variant;
    const known = this.#clusters.get(key);
    if (known !== undefined) return known;
    if (this.#clusters.size >= CLUSTERS_MAX) this.#clusters.clear();
    // Composed if possible: fonts draw é better than an e with an accent over it.
    const [codePoint = 0, ...marks] = Array.from(
      source.clusterText(number).normalize('NFC'),
      (part) => part.codePointAt(0) ?? 0,
    );
    const routed = { slot: this.#ask(codePoint, marks, variant), codePoint, marks };
    this.#clusters.set(key, routed);
    return routed;
  }

  /** Whether a drawer's resources should be freed and sent again. */
  get isFull(): boolean {
    return this.#drawers.some((drawer) => drawer.isFull === true);
  }

  /** Clears the cache after cluster numbers were reused. */
  forgetClusters(): void {
    this.#clusters.clear();
  }

  /** Frees the drawers' resources; the router can't be used afterwards. */
  release(): void {
    for (const drawer of this.#drawers) drawer.release();
  }

  #findSlot(codePoint: number, variant: number): Slot {
    const slot = this.#ask(codePoint, [], variant);
    if (!this.#slots.includes(slot)) this.#slots.push(slot);
    const pages = this.#pages[variant] ?? [];
    const page = pages[codePoint >> 8] ?? new Uint8Array(PAGE);
    page[codePoint & (PAGE - 1)] = this.#slots.indexOf(slot) + 1;
    pages[codePoint >> 8] = page;
    return slot;
  }

  #ask(codePoint: number, marks: readonly number[], variant: number): Slot {
    const glyph: Glyph = {
      codePoint,
      marks,
      isBold: (variant & BOLD_VARIANT) !== 0,
      isItalic: (variant & ITALIC_VARIANT) !== 0,
      cells: (variant & WIDE_VARIANT) === 0 ? 1 : 2,
    };
    for (const drawer of this.#drawers) {
      const slot = drawer.slotFor(glyph);
      if (slot !== undefined) return slot;
    }
    throw new Error(`nothing draws U+${codePoint.toString(16)}`);
  }
}
