import type { Face } from './face.ts';

/** The variant of a face that a cell asks for. */
export interface FaceVariant {
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** How large a face is; points are those of the screen's resolution. */
export type FaceSize = { readonly points: number } | { readonly pixels: number };

/** What a face is asked for by. */
export interface FaceRequest extends FaceVariant {
  /** One entry of an X resource, in fontconfig's form. */
  readonly pattern: string;
  /** Used where the pattern has no size of its own. */
  readonly size: FaceSize;
  /** Whether `size` is used even where the pattern has one. */
  readonly overridesSize?: boolean;
  /** Whether the cell gets its size from the face: as in xterm, `mono` is then tried behind its families. */
  readonly isPrimary?: boolean;
  /** Pixels that every glyph advances: as in xterm, bold and italic faces are asked for with those of the normal one. */
  readonly charWidth?: number;
}

/** A font that fontconfig offers; nothing of its file has been read. */
export interface FaceCandidate {
  readonly family: string;
  readonly style: string;
  readonly file: string;
  /** Of the face in its file. */
  readonly index: number;
  /** Whether fontconfig says that it has colour glyphs. */
  readonly hasColor: boolean;
  /** Whether fontconfig says that glyphs are outlines. */
  readonly hasOutlines: boolean;
  /** Whether the pattern named this family; else it is what fontconfig gives instead. */
  readonly isNamedFamily: boolean;
  /** By fontconfig's table of the font. */
  covers(codePoint: number): boolean;
  /** @throws FaceUnavailableError when the file can't be read, or is damaged */
  open(): Face;
}

/** Where faces come from: fontconfig, or small objects in tests. */
export interface FaceSource {
  /** The font that fits a pattern best. Undefined when there are no fonts, and for a pattern that can't be read. */
  match(request: FaceRequest): FaceCandidate | undefined;
  /** All fonts by how well they fit, found one after the other as they are asked for; at most `SYSTEM_CANDIDATES_MAX`. */
  candidates(request: FaceRequest): Iterable<FaceCandidate>;
}

/** Fonts offered for one pattern, at most. */
export const SYSTEM_CANDIDATES_MAX = 256;
