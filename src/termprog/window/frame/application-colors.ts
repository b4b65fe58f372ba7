import { parseColor, type Rgb } from '../../color/parse-color.ts';
import { colorSchemeReport } from '../../engine/color-scheme.ts';
import type { ColorHost, ColorTarget } from '../../engine/engine-host.ts';
import { type ColorChange, entryColor, type TextColors } from '../../render/palette.ts';
import type { OrderedWork } from './ordered-work.ts';

const ENTRIES = 256;

export interface ApplicationColorParts {
  /** The colours of the configuration, before any reversal. */
  configured: TextColors;
  work: OrderedWork;
  /** Whether text and background are swapped. */
  isReversed(): boolean;
  /** Looks up a colour's name; undefined when the X server does not know it. */
  lookUp(name: string): Promise<Rgb | undefined>;
  isName(spec: string): boolean;
  /** Requests a frame that shows the changed colours. */
  request(): void;
  send(answer: string): void;
  /** Whether the application requested reports of changes between dark and light. */
  reportsScheme(): boolean;
}

/** Colours that applications have set, by target. */
type Changes = ReadonlyMap<ColorTarget, Rgb>;

const NO_CHANGES: Changes = new Map();

/**
 * Colours that applications change, on top of the configured ones. It owns the colour of each target; the picture
 * fetches the changes before a frame.
 */
export class ApplicationColors implements ColorHost {
  readonly #parts: ApplicationColorParts;
  readonly #changed = new Map<ColorTarget, Rgb>();
  #configured: TextColors;
  /**
   * Colours that the window shows, or will show with the next frame, by target; undefined before the first change, when
   * they are the configured ones.
   */
  #shown: ReadonlyMap<ColorTarget, Rgb | undefined> | undefined;
  #isDue = false;
  #reportedDark: boolean;

  constructor(parts: ApplicationColorParts) {
    this.#parts = parts;
    this.#configured = parts.configured;
    this.#reportedDark = this.isDark();
  }

  /** Takes new configured colours. */
  configure(colors: TextColors): void {
    this.#configured = colors;
    this.#change();
  }

  set(target: ColorTarget, spec: string): void {
    const { work, isName, lookUp } = this.#parts;
    const known = parseColor(spec);
    const take = (color: Rgb | undefined): void => {
      if (color === undefined) return;
      this.#changed.set(this.#slotOf(target), color);
      this.#change();
    };
    if (known !== undefined) work.do(() => take(known));
    else if (isName(spec)) work.doWith<Rgb | undefined>(() => lookUp(spec), take);
  }

  reset(target: ColorTarget): void {
    this.#parts.work.do(() => {
      if (this.#changed.delete(this.#slotOf(target))) this.#change();
    });
  }

  resetAll(): void {
    this.#parts.work.do(() => {
      this.#changed.clear();
      this.#change();
    });
  }

  report(target: ColorTarget, answer: (rgb: string) => string): void {
    const { work, send } = this.#parts;
    work.do(() => {
      const { red, green, blue } = this.#colorOf(this.#slotOf(target));
      send(answer(`rgb:${sixteenBits(red)}/${sixteenBits(green)}/${sixteenBits(blue)}`));
    });
  }

  isDark(): boolean {
    const background = this.#colorOf(this.#slotOf('background'));
    const foreground = this.#colorOf(this.#slotOf('foreground'));
    return brightnessOf(background) < brightnessOf(foreground);
  }

  /** Text and background may have been swapped. */
  noticeReversal(): void {
    this.#reportScheme();
  }

  /** Returns the changes since the last call; undefined when there are no changes. */
  takeChange(): ColorChange | undefined {
    if (!this.#isDue) return undefined;
    this.#isDue = false;
    const before = this.#shown ?? allColors(this.#parts.configured, NO_CHANGES);
    const now = allColors(this.#configured, this.#changed);
    this.#shown = now;
    const changed = [...now].filter(([target, color]) => !isSame(before.get(target), color));
    const entries = changed.filter((pair): pair is [number, Rgb] => typeof pair[0] === 'number');
    const named = Object.fromEntries(changed.filter(([target]) => typeof target === 'string'));
    return changed.length === 0 ? undefined : { ...named, ...(entries.length > 0 && { entries: new Map(entries) }) };
  }

  #change(): void {
    if (!this.#isDue) this.#parts.request();
    this.#isDue = true;
    this.#reportScheme();
  }

  #reportScheme(): void {
    const isDark = this.isDark();
    if (isDark === this.#reportedDark) return;
    this.#reportedDark = isDark;
    if (this.#parts.reportsScheme()) this.#parts.send(colorSchemeReport(isDark));
  }

  #colorOf(target: ColorTarget): Rgb {
    return colorOf(target, this.#configured, this.#changed);
  }

  /** The target whose colour is shown: under reversal the background is drawn in the configured colour of text. */
  #slotOf(target: ColorTarget): ColorTarget {
    if (!this.#parts.isReversed()) return target;
    if (target === 'foreground') return 'background';
    return target === 'background' ? 'foreground' : target;
  }
}

/** The painter's colour of each target; the cursor is undefined if it has the colour of text. */
function allColors(configured: TextColors, changed: Changes): Map<ColorTarget, Rgb | undefined> {
  const all = new Map<ColorTarget, Rgb | undefined>([
    ['foreground', colorOf('foreground', configured, changed)],
    ['background', colorOf('background', configured, changed)],
    ['cursor', changed.get('cursor') ?? configured.cursor],
  ]);
  for (let entry = 0; entry < ENTRIES; entry += 1) all.set(entry, colorOf(entry, configured, changed));
  return all;
}

function colorOf(target: ColorTarget, configured: TextColors, changed: Changes): Rgb {
  const own = changed.get(target);
  if (own !== undefined) return own;
  const { foreground, background, cursor, ansi } = configured;
  if (typeof target === 'number') return ansi[target] ?? entryColor(target);
  const same = (other: ColorTarget): Rgb => colorOf(other, configured, changed);
  switch (target) {
    case 'background':
    case 'pointerBackground':
    case 'tektronixBackground':
    case 'highlightForeground':
      return target === 'background' ? background : same('background');
    case 'cursor':
    case 'tektronixCursor':
      return cursor ?? same('foreground');
    default:
      return target === 'foreground' ? foreground : same('foreground');
  }
}

/** Widens eight bits to sixteen by repeating the byte, as X does. */
const sixteenBits = (level: number): string => level.toString(16).padStart(2, '0').repeat(2);

/** Luma, by the weights of ITU-R BT.601. */
const brightnessOf = ({ red, green, blue }: Rgb): number => 299 * red + 587 * green + 114 * blue;

function isSame(one: Rgb | undefined, other: Rgb | undefined): boolean {
  return one?.red === other?.red && one?.green === other?.green && one?.blue === other?.blue;
}
