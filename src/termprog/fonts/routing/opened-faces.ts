import type { Diagnostics } from '../../diagnostics.ts';
import type { Face } from '../outline/face.ts';
import type { FaceCandidate, FaceVariant } from '../outline/face-source.ts';

/** Why a face was not opened. */
export type NotOpened = { readonly refusal: string };

/** Number of a variant, from 0. */
export function variantIndex({ isBold, isItalic }: FaceVariant): number {
  return (isBold ? 1 : 0) + (isItalic ? 2 : 0);
}

export const VARIANTS = 4;

/**
 * The faces that a slot has opened beside its primary ones, each once for a variant. Fallback faces have a budget for
 * each variant; a face stays open, so that hostile text can't have files opened over and over.
 * @spec termprog#terminal-widget-resources-termvt100 limitFontsets
 */
export class OpenedFaces {
  readonly #diagnostics: Pick<Diagnostics, 'warning'>;
  readonly #faces: Face[] = [];
  /** By variant and file; the text is why the file could not be opened. */
  readonly #byFile = new Map<string, Face | NotOpened>();
  readonly #told = new Set<string>();
  readonly #fallbacks = new Uint32Array(VARIANTS);

  constructor(diagnostics: Pick<Diagnostics, 'warning'>) {
    this.#diagnostics = diagnostics;
  }

  /** A face that is open already may serve in the place of a candidate for the same file. */
  adopt(face: Face, variant: FaceVariant): void {
    const key = keyOf(face, variant);
    if (!this.#byFile.has(key)) this.#byFile.set(key, face);
  }

  /** Opens what a pattern of the user's has matched, whatever was opened before: patterns have sizes of their own. */
  openNamed(candidate: FaceCandidate, variant: FaceVariant, budget: number | undefined): Face | NotOpened {
    if (budget !== undefined && this.#isSpent(variant, budget)) return spent(budget);
    const opened = this.#open(candidate);
    if (!('refusal' in opened)) {
      if (budget !== undefined) this.#count(variant);
      this.adopt(opened, variant);
    }
    return opened;
  }

  /** What is known of a file: its open face, or why it could not be opened. */
  known(candidate: FaceCandidate, variant: FaceVariant): Face | NotOpened | undefined {
    return this.#byFile.get(keyOf(candidate, variant));
  }

  /** Opens a face of the system's that is not known. */
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
      if (!this.#told.has(candidate.file)) this.#diagnostics.warning(`a font is not used: ${reason}`);
      this.#told.add(candidate.file);
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
