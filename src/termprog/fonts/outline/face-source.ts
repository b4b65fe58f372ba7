import type { Face } from './face.ts';

/** The variant of a face that a cell requests. */
export interface FaceVariant {
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** Size of a face; points refer to the screen's resolution. */
export type FaceSize = { readonly points: number } | { readonly pixels: number };

/** Request for a face. */
export interface FaceRequest extends FaceVariant {
  /** One entry of an X resource, in fontconfig's syntax. */
  readonly pattern: string;
  /** Used if the pattern has no size of its own. */
  readonly size: FaceSize;
  /** Whether `size` is used even if the pattern has one. */
  readonly overridesSize?: boolean;
  /** Whether the face determines the cell: `mono` is then tried after its families, as in xterm. */
  readonly isPrimary?: boolean;
  /** Advance of every glyph in pixels: bold and italic faces are requested with that of the normal one, as in xterm. */
  readonly charWidth?: number;
}

/** A font that fontconfig offers; its file has not been read. */
export interface FaceCandidate {
  readonly family: string;
  readonly style: string;
  readonly file: string;
  /** Index of the face in its file. */
  readonly index: number;
  /** Whether fontconfig reports colour glyphs. */
  readonly hasColor: boolean;
  /** Whether fontconfig reports outline glyphs. */
  readonly hasOutlines: boolean;
  /** Whether the pattern named this family; otherwise it is fontconfig's replacement. */
  readonly isNamedFamily: boolean;
  /** Whether fontconfig's character set of the font contains the code point. */
  covers(codePoint: number): boolean;
  /** @throws FaceUnavailableError when the file can't be read, or is damaged */
  open(): Face;
}

/** Source of faces: fontconfig, or small objects in tests. */
export interface FaceSource {
  /** Returns the font that fits a pattern best. Undefined when there are no fonts, and for a malformed pattern. */
  match(request: FaceRequest): FaceCandidate | undefined;
  /** Returns all fonts, the best match first, found lazily; at most `SYSTEM_CANDIDATES_MAX`. */
  candidates(request: FaceRequest): Iterable<FaceCandidate>;
}

/** Most fonts offered for one pattern. */
export const SYSTEM_CANDIDATES_MAX = 256;
