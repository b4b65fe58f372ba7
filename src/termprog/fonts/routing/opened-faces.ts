import type { Diagnostics } from '../../diagnostics.ts';
import type { Face } from '../outline/face.ts';
import type { FaceCandidate, FaceVariant } from '../outline/face-source.ts';

/** The reason why a face was not opened. */
export type NotOpened = { readonly refusal: string };

/** Index of a variant, from 0. */
export function variantIndex({ isBold, isItalic }: FaceVariant): number {
  return (isBold ? 1 : 0) + (isItalic ? 2 : 0);
}

export const VARIANTS = 4;

/**
 * The faces that a slot has opened in addition to its primary ones, each once per variant. Fallback faces have a budget
 * per variant; a face stays open, so that hostile text can't cause files to be opened repeatedly.
 * @spec termprog#terminal-widget-resources-termvt100 limitFontsets
 */
export class OpenedFaces {
  readonly #diagnostics: Pick<Diagnostics, 'warning'>;
  readonly #faces: Face[] = [];
  /** Variant and file → face, or the reason why the file could not be opened. */
  readonly #byFile = new Map<string, Face | NotOpened>();
  readonly #reported = new Set<string>();
  readonly #fallbacks = new Uint32Array(VARIANTS);

  constructor(diagnostics: Pick<Diagnostics, 'warning'>) {
    this.#diagnostics = diagnostics;
  }

  /** Registers an open face, which then serves in place of a candidate for the same file. */
  adopt(face: Face, variant: FaceVariant): void {
    const key = keyOf(face, variant);
    if (!this.#byFile.has(key)) this.#byFile.set(key, face);
  }

  /** Opens the match of a user's pattern, even if its file is already open: patterns have sizes of their own. */
  openNamed(candidate: FaceCandidate, variant: FaceVariant, budget: number | undefined): Face | NotOpened {
    if (budget !== undefined && this.#isSpent(variant, budget)) return spent(budget);
    const opened = this.#open(candidate);
    if (!('refusal' in opened)) {
      if (budget !== undefined) this.#count(variant);
      this.adopt(opened, variant);
    }
    return opened;
  }

  /** Returns the open face of a file, or the reason why it could not be opened; undefined for an unknown file. */
  known(candidate: FaceCandidate, variant: FaceVariant): Face | NotOpened | undefined {
    return this.#byFile.get(keyOf(candidate, variant));
  }

  /** Opens a system face that is not known yet. */
  openSystem(candidate: FaceCandidate, variant: FaceVariant, budget: number): Face | NotOpened {
    if (this.#isSpent(variant, budget)) return spent(budget);
    const opened = this.#open(candidate);
    this.#byFile.set(keyOf(candidate, variant), opened);
    if (!('refusal' in opened)) this.#count(variant);
    return opened;
  }

  close(): void {
    for (const face of this.#faces) face.close();
    this.#faces.length = 0;
    this.#byFile.clear();
  }

  #open(candidate: FaceCandidate): Face | NotOpened {
    try {
      const face = candidate.open();
      this.#faces.push(face);
      return face;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#reported.has(candidate.file)) this.#diagnostics.warning(`a font is not used: ${reason}`);
      this.#reported.add(candidate.file);
      return { refusal: `could not be opened: ${reason}` };
    }
  }

  #isSpent(variant: FaceVariant, budget: number): boolean {
    return (this.#fallbacks[variantIndex(variant)] ?? 0) >= budget;
  }

  #count(variant: FaceVariant): void {
    const index = variantIndex(variant);
    this.#fallbacks[index] = (this.#fallbacks[index] ?? 0) + 1;
  }
}

function spent(budget: number): NotOpened {
  return { refusal: `is not opened: limitFontsets allows ${budget}` };
}

function keyOf({ file, index }: { file: string; index: number }, variant: FaceVariant): string {
  return `${variantIndex(variant)} ${index} ${file}`;
}
