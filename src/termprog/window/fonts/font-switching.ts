import { parseFaceName } from '../../fonts/outline/face-name.ts';
import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { FontPort } from '../../ports/appearance.ts';
import type { OptionPort } from '../../ports/states.ts';
import type { LoadedSlot } from './loaded-slot.ts';
import type { RendererKind, SlotLoader } from './slot-loader.ts';
import { neighborOf } from './slot-order.ts';

/** Most waiting switches: more than there are slots would lead nowhere. */
const WAITING_MAX = 8;

export interface FontSwitchingParts {
  loader: Pick<SlotLoader, 'open' | 'sizes'>;
  options: OptionPort;
  /** Slot 0, which the terminal starts with. */
  first: LoadedSlot;
  /** Switches the window to other fonts. Resolves when the window has the size for them. */
  show(fonts: SlotFonts): Promise<void>;
  /** Adds fonts that were opened for the slot in use. */
  showMore(fonts: SlotFonts): void;
  ring(): void;
  /** Logs a switch that failed for another reason than a missing font. */
  failed(error: unknown): void;
}

/**
 * Owns the slot and the renderer in use, and switches between them. Switches run one at a time, in order: the window
 * has the size for one before the next begins, so that an answer is not taken for that of another switch.
 */
export class FontSwitching implements FontPort {
  readonly #parts: FontSwitchingParts;
  #shown: LoadedSlot;
  #slot = 0;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isFollowing = false;
  #isClosed = false;

  constructor(parts: FontSwitchingParts) {
    this.#parts = parts;
    const { first, options, showMore } = parts;
    this.#shown = first;
    first.listen(showMore);
    // The terminal started with bitmap fonts because outline fonts were unavailable.
    if (wantsOutline(options) && !this.isOutline) options.set('renderFont', 'false');
    options.watch(['renderFont'], () => this.#followRenderer());
  }

  get slot(): number {
    return this.#slot;
  }

  get isOutline(): boolean {
    return this.#kind === 'outline';
  }

  select(slot: number): void {
    this.#do(async () => {
      if (slot !== this.#slot && !(await this.#switchTo(slot, this.#kind))) this.#parts.ring();
    });
  }

  larger(): void {
    this.#step('larger');
  }

  smaller(): void {
    this.#step('smaller');
  }

  setOutline(isOutline: boolean): void {
    this.#parts.options.set('renderFont', isOutline ? 'true' : 'false');
  }

  /** Opens the bold fonts, which the first frame did without. */
  wantBold(): void {
    this.#shown.wantBold();
  }

  /** Opens fonts with more characters. */
  wantWider(): void {
    this.#shown.wantWider();
  }

  /** Closes all fonts; a switch under way ends without effect. */
  close(): void {
    this.#isClosed = true;
    this.#shown.close();
  }

  get #kind(): RendererKind {
    return this.#shown.fonts.kind;
  }

  #step(direction: 'larger' | 'smaller'): void {
    this.#do(async () => {
      const sizes = await this.#parts.loader.sizes(this.#kind);
      const slot = neighborOf(sizes, this.#slot, direction);
      if (slot === undefined || !(await this.#switchTo(slot, this.#kind))) this.#parts.ring();
    });
  }

  /** Switches to the renderer of the option, which is read when the switch begins, not when it was requested. */
  #followRenderer(): void {
    // One waiting switch covers all changes, and it must not be dropped: menus show the option's value.
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const { options, ring } = this.#parts;
    this.#add(async () => {
      this.#isFollowing = false;
      const kind: RendererKind = wantsOutline(options) ? 'outline' : 'bitmap';
      if (kind === this.#kind || (await this.#switchTo(this.#slot, kind).catch(this.#logFailure))) return;
      ring();
      if (!this.#isClosed) options.set('renderFont', this.isOutline ? 'true' : 'false');
    });
  }

  readonly #logFailure = (error: unknown): void => {
    if (!this.#isClosed) this.#parts.failed(error);
  };

  #do(step: () => Promise<void>): void {
    if (this.#waiting < WAITING_MAX) this.#add(step);
  }

  #add(step: () => Promise<void>): void {
    this.#waiting += 1;
    this.#work = this.#work.then(async () => {
      try {
        if (!this.#isClosed) await step();
      } catch (error) {
        this.#logFailure(error);
      }
      this.#waiting -= 1;
    });
  }

  /** Returns false when the slot has no fonts. */
  async #switchTo(slot: number, kind: RendererKind): Promise<boolean> {
    const { loader, show, showMore } = this.#parts;
    const loaded = await loader.open(slot, kind);
    if (this.#isClosed) {
      loaded?.close();
      return true;
    }
    if (loaded === undefined) return false;
    loaded.listen(showMore);
    const left = this.#shown;
    this.#shown = loaded;
    this.#slot = slot;
    let shown: Promise<void>;
    try {
      shown = show(loaded.fonts);
    } finally {
      // From now on the new fonts draw, even after a failure.
      left.close();
    }
    loaded.wantBold();
    await shown;
    return true;
  }
}

/** Whether the options request the outline renderer. @spec termprog#terminal-widget-resources-termvt100 renderFont */
export function wantsOutline(options: Pick<OptionPort, 'get'>): boolean {
  const wanted = options.get('renderFont');
  // An empty value is the only way to undo a name that another resource file has set.
  return wanted === 'default' ? parseFaceName(options.get('faceName') ?? '') !== undefined : wanted === 'true';
}
