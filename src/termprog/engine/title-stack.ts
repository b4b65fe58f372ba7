import type { LabelKind } from './engine-host.ts';

/** Beyond this number, saved labels are dropped, oldest first; programs nest only a few. */
const DEPTH_MAX = 10;

export type Labels = Readonly<Record<LabelKind, string>>;

/** Stores titles and icon names that applications saved; XTWINOPS 22 and 23. */
export class TitleStack {
  readonly #saved: Labels[] = [];

  /**
   * Saves the present labels of some kinds; for the other kinds it repeats the top of the stack, so that a later pop
   * leaves them as they are.
   */
  push(present: Labels, kinds: readonly LabelKind[]): void {
    const below = this.#saved.at(-1) ?? present;
    const pick = (kind: LabelKind): string => (kinds.includes(kind) ? present : below)[kind];
    this.#saved.push({ title: pick('title'), iconName: pick('iconName') });
    if (this.#saved.length > DEPTH_MAX) this.#saved.shift();
  }

  /** Returns the labels that were saved last; undefined if the stack is empty. */
  pop(): Labels | undefined {
    return this.#saved.pop();
  }
}
