import type { LabelKind } from './engine-host.ts';

/** Saved labels are dropped beyond this number, oldest first; programs nest a few. */
const DEPTH_MAX = 10;

export type Labels = Readonly<Record<LabelKind, string>>;

/** Titles and icon names that applications saved; XTWINOPS 22 and 23. */
export class TitleStack {
  readonly #saved: Labels[] = [];

  /** Saves the present labels of some kinds; of the others it repeats what is on top, which a later pop then leaves as it is. */
  push(present: Labels, kinds: readonly LabelKind[]): void {
    const below = this.#saved.at(-1) ?? present;
    const pick = (kind: LabelKind): string => (kinds.includes(kind) ? present : below)[kind];
    this.#saved.push({ title: pick('title'), iconName: pick('iconName') });
    if (this.#saved.length > DEPTH_MAX) this.#saved.shift();
  }

  /** Undefined when nothing is saved. */
  pop(): Labels | undefined {
    return this.#saved.pop();
  }
}
