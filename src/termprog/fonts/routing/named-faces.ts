import type { Diagnostics } from '../../diagnostics.ts';
import type { Face } from '../outline/face.ts';
import type { FaceCandidate, FaceRequest, FaceSource, FaceVariant } from '../outline/face-source.ts';
import { type NotOpened, type OpenedFaces, VARIANTS, variantIndex } from './opened-faces.ts';
import type { NamedPattern } from './routing-settings.ts';
import { needsGlyph } from './system-faces.ts';

/** A face that the user named, in one variant. */
interface NamedFace {
  readonly candidate: FaceCandidate | undefined;
  opened: Face | NotOpened | undefined;
}

export interface NamedFacesParts {
  source: FaceSource;
  opened: OpenedFaces;
  diagnostics: Pick<Diagnostics, 'warning'>;
  /** Size of the slot. */
  size: Pick<FaceRequest, 'size' | 'overridesSize'>;
}

/** Faces of the user's patterns. Each is matched on first use, and opened when it has a glyph that is needed. */
export class NamedFaces {
  readonly #parts: NamedFacesParts;
  readonly #byPattern = new Map<NamedPattern, (NamedFace | undefined)[]>();
  readonly #reported = new Set<NamedPattern>();

  constructor(parts: NamedFacesParts) {
    this.#parts = parts;
  }

  /**
   * Returns the face of a pattern, if it may have the code points.
   * @param budget of fallback faces; undefined for other faces
   */
  find(
    named: NamedPattern,
    variant: FaceVariant,
    { codePoints, budget }: { codePoints: readonly number[]; budget: number | undefined },
  ): Face | NotOpened {
    const found = this.#match(named, { ...variant, ...this.#parts.size, pattern: named.pattern });
    const { candidate } = found;
    if (candidate === undefined) return { refusal: 'matches no font' };
    if (!codePoints.every((code) => !needsGlyph(code) || candidate.covers(code))) return { refusal: 'has no glyph' };
    found.opened ??= this.#parts.opened.openNamed(candidate, variant, budget);
    return found.opened;
  }

  #match(named: NamedPattern, request: FaceRequest): NamedFace {
    const variants = this.#byPattern.get(named) ?? Array.from<NamedFace | undefined>({ length: VARIANTS });
    this.#byPattern.set(named, variants);
    const index = variantIndex(request);
    const known = variants[index];
    if (known !== undefined) return known;
    const candidate = this.#parts.source.match(request);
    this.#report(named, candidate);
    const found = { candidate, opened: undefined };
    variants[index] = found;
    return found;
  }

  /** Reports once per pattern that it matches another family than the named one, or no font. */
  #report(named: NamedPattern, candidate: FaceCandidate | undefined): void {
    if (candidate?.isNamedFamily === true || this.#reported.has(named)) return;
    this.#reported.add(named);
    const { resource, pattern } = named;
    const instead = candidate === undefined ? 'it is left out' : `${candidate.family} is used instead`;
    this.#parts.diagnostics.warning(`resource vt100.${resource}: no font is named "${pattern}"; ${instead}`);
  }
}
