import type { Face } from './face.ts';

/** The variant of a face that a cell asks for. */
export interface FaceVariant {
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** What a face is asked for by. */
export interface FaceRequest extends FaceVariant {
  /** As in an X resource: fontconfig's form, one entry. */
  readonly pattern: string;
  /** Used where the pattern has no size of its own. */
  readonly points: number;
  /** Pixels that every glyph advances, as xterm asks for its bold and italic faces. */
  readonly charWidth?: number;
  /** Whether glyphs of two widths may be in the face: wide ones and emoji are not looked for among fonts of one width. */
  readonly isWide?: boolean;
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
