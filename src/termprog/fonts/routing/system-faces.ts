import type { FaceCandidate, FaceRequest, FaceSource } from '../outline/face-source.ts';

/** Most code points with cached candidates. */
const CODE_POINTS_MAX = 4_096;

/** Code points per page of the table of those that no font has. */
const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;

/** Whether a font needs a glyph for a code point: some of a cluster are not drawn. */
export function needsGlyph(codePoint: number): boolean {
  return !/^\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(codePoint));
}

/**
 * The system's faces in one variant. They are listed once; the faces of a code point are found once and cached, and a
 * code point that no face has is never searched again.
 */
export class SystemFaces {
  readonly #source: FaceSource;
  readonly #request: FaceRequest;
  #candidates: readonly FaceCandidate[] | undefined;
  readonly #byCodePoint = new Map<number, readonly FaceCandidate[]>();
  readonly #absent: (Uint8Array | undefined)[] = [];

  constructor(source: FaceSource, request: FaceRequest) {
    this.#source = source;
    this.#request = request;
  }

  /** Returns the faces that have all of the code points, in the system's order. */
  covering(codePoints: readonly number[]): readonly FaceCandidate[] {
    let found: readonly FaceCandidate[] | undefined;
    for (const codePoint of codePoints) {
      if (!needsGlyph(codePoint)) continue;
      const having = this.#having(codePoint);
      const before = found;
      found = before === undefined ? having : having.filter((candidate) => before.includes(candidate));
      if (found.length === 0) return found;
    }
    return found ?? [];
  }

  #having(codePoint: number): readonly FaceCandidate[] {
    const page = this.#absent[codePoint >> PAGE_BITS];
    if (page !== undefined && ((page[byteOf(codePoint)] ?? 0) & bitOf(codePoint)) !== 0) return [];
    const known = this.#byCodePoint.get(codePoint);
    if (known !== undefined) return known;
    this.#candidates ??= [...this.#source.candidates(this.#request)];
    const having = this.#candidates.filter((candidate) => candidate.covers(codePoint));
    if (having.length === 0) this.#markAbsent(codePoint);
    else {
      if (this.#byCodePoint.size >= CODE_POINTS_MAX) this.#byCodePoint.clear();
      this.#byCodePoint.set(codePoint, having);
    }
    return having;
  }

  /** Marks a code point by one bit, so that all of Unicode takes 136 KiB. */
  #markAbsent(codePoint: number): void {
    const page = this.#absent[codePoint >> PAGE_BITS] ?? new Uint8Array(PAGE / 8);
    page[byteOf(codePoint)] = (page[byteOf(codePoint)] ?? 0) | bitOf(codePoint);
    this.#absent[codePoint >> PAGE_BITS] = page;
  }
}

/** Index of a code point's byte in its page. */
function byteOf(codePoint: number): number {
  return (codePoint & (PAGE - 1)) >> 3;
}

function bitOf(codePoint: number): number {
  return 1 << (codePoint & 7);
}
