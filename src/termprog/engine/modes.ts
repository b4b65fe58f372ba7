import type { EditedRows } from './edited-rows.ts';
import type { Screen } from './screen.ts';

/** The state that modes change. */
export interface ModeTarget {
  readonly screen: Screen;
  /** What is known about a program that edits lines. */
  readonly editedRows: EditedRows;
  readonly shellMarks: { endPrompt(): void };
  /** The conformance level; DECSCL. */
  readonly level: number;
  /** Whether applications may ask for a cursor that blinks. */
  readonly takesBlinkRequests: boolean;
  clearScreen(): void;
  restoreCursor(): void;
  /** Is called when a synchronized change of the screen has ended. */
  changeCompleted(): void;
}

interface ModeRow {
  name: string;
  /** Set by `CSI Pm h`, or, when private, by `CSI ? Pm h`. */
  isPrivate: boolean;
  number: number;
  initial: boolean;
  /** The lowest conformance level at which terminals have it. */
  level: number;
  /** Modes that end when this one is set. */
  excludes?: readonly number[];
  /** Whether they end also when this one is reset. */
  endsAll?: boolean;
  /** The immediate effect; most modes have none and are read when they matter. */
  apply?(target: ModeTarget, isOn: boolean): void;
  /** Returns whether applications may not change it now. */
  isLocked?(target: ModeTarget): boolean;
  /** Returns the mode's state if that is not kept in the table. */
  read?(target: ModeTarget): boolean;
  /** The number of the mode that XTSAVE and XTRESTORE use instead, which has the same state and fewer effects. */
  savedAs?: number;
  /** Whether XTSAVE sets it, and XTRESTORE resets it. */
  savesBySetting?: boolean;
  /** Why it is remembered and reported, but has no effect. */
  rememberedOnly?: string;
}

type ModeOptions = Partial<Omit<ModeRow, 'name' | 'number'>>;

const row = <Name extends string>(name: Name, number: number, options: ModeOptions = {}): ModeRow & { name: Name } => ({
  name,
  number,
  isPrivate: true,
  initial: false,
  level: 1,
  ...options,
});

const MOUSE_PROTOCOLS = [9, 1000, 1001, 1002, 1003];
const MOUSE_ENCODINGS = [1005, 1006, 1015, 1016];
const othersOf = (modes: readonly number[], number: number): number[] => modes.filter((mode) => mode !== number);
const mouseProtocol = <Name extends string>(name: Name, number: number): ModeRow & { name: Name } =>
  row(name, number, { excludes: othersOf(MOUSE_PROTOCOLS, number), endsAll: true });
const mouseEncoding = <Name extends string>(name: Name, number: number): ModeRow & { name: Name } =>
  row(name, number, { excludes: othersOf(MOUSE_ENCODINGS, number) });

const NO_PRINTER = 'there is no printer';

/** Every mode that applications, menus and actions set and read; one row each. */
export const modeTable = [
  row('keyboardLocked', 2, { isPrivate: false }),
  row('insert', 4, {
    isPrivate: false,
    apply: ({ screen }, isOn) => {
      screen.isInsert = isOn;
    },
  }),
  row('noLocalEcho', 12, { isPrivate: false, initial: true }),
  row('autoLinefeed', 20, {
    isPrivate: false,
    apply: ({ screen }, isOn) => {
      screen.isLinefeedNewLine = isOn;
    },
  }),
  row('applicationCursorKeys', 1),
  row('wideColumns', 3, {
    isLocked: ({ screen }) => !screen.mayChangeColumns,
    // A window keeps its size; everything else that a change of columns causes is done.
    apply: (target) => {
      const { screen } = target;
      if (!screen.mayChangeColumns) return;
      screen.resetMargins();
      target.clearScreen();
      screen.moveTo(0, 0);
    },
  }),
  row('smoothScroll', 4, { rememberedOnly: 'text scrolls with frames' }),
  row('reverseScreen', 5, { apply: ({ screen }) => screen.damage.markAll() }),
  row('origin', 6, {
    apply: ({ screen }, isOn) => {
      screen.isOrigin = isOn;
      screen.moveToAddress(0, 0);
    },
  }),
  row('autoWraparound', 7, {
    initial: true,
    apply: ({ screen }, isOn) => {
      screen.isAutoWrap = isOn;
    },
  }),
  mouseProtocol('mouseX10', 9),
  row('cursorBlink', 12, { isLocked: ({ takesBlinkRequests }) => !takesBlinkRequests }),
  row('printFormFeed', 18, { level: 2, rememberedOnly: NO_PRINTER }),
  row('printWholeScreen', 19, { level: 2, rememberedOnly: NO_PRINTER }),
  row('cursorVisible', 25, { initial: true }),
  row('allowColumnChange', 40, {
    apply: ({ screen }, isOn) => {
      screen.mayChangeColumns = isOn;
    },
  }),
  row('tabWraps', 41, {
    apply: ({ screen }, isOn) => {
      screen.isTabWrapping = isOn;
    },
  }),
  row('nationalCharsets', 42, {
    level: 2,
    apply: ({ screen }, isOn) => {
      screen.hasNationalCharsets = isOn;
      screen.charsets.reset();
    },
  }),
  row('reverseWraparound', 45, {
    apply: ({ screen }, isOn) => {
      screen.isReverseWrap = isOn;
    },
  }),
  row('alternateScreen47', 47, {
    apply: ({ screen }, isOn) => screen.switchGrid(isOn),
    read: ({ screen }) => screen.isAlternate,
  }),
  row('applicationKeypad', 66),
  row('backarrowIsBackspace', 67),
  row('sideMargins', 69, {
    level: 4,
    apply: ({ screen }, isOn) => {
      screen.maySetSideMargins = isOn;
      if (!isOn) screen.setMargins({ ...screen.margins, left: 0, right: screen.columns - 1 });
    },
  }),
  mouseProtocol('mouseButtons', 1000),
  mouseProtocol('mouseHighlight', 1001),
  mouseProtocol('mouseDrag', 1002),
  mouseProtocol('mouseMotion', 1003),
  row('focusEvents', 1004),
  mouseEncoding('mouseUtf8', 1005),
  mouseEncoding('mouseSgr', 1006),
  row('alternateScroll', 1007, { initial: true }),
  mouseEncoding('mouseUrxvt', 1015),
  mouseEncoding('mouseSgrPixels', 1016),
  row('metaSetsEighthBit', 1034, { initial: true }),
  row('altNumLockModifiers', 1035, { initial: true }),
  row('metaSendsEscape', 1036),
  row('altSendsEscape', 1039, { initial: true }),
  row('urgentBell', 1042),
  row('reverseWraparoundExtended', 1045, {
    apply: ({ screen }, isOn) => {
      screen.isReverseWrapExtended = isOn;
    },
  }),
  row('alternateScreen1047', 1047, {
    savedAs: 47,
    apply: (target, isOn) => {
      if (!isOn && target.screen.isAlternate) target.clearScreen();
      target.screen.switchGrid(isOn);
    },
    read: ({ screen }) => screen.isAlternate,
  }),
  row('savedCursor', 1048, {
    savesBySetting: true,
    apply: (target, isOn) => (isOn ? target.screen.saveCursor() : target.restoreCursor()),
    read: ({ screen }) => screen.hasSavedCursor,
  }),
  row('alternateScreen', 1049, {
    savedAs: 47,
    apply: (target, isOn) => {
      if (isOn) {
        target.screen.saveCursor();
        target.screen.switchGrid(true);
        target.clearScreen();
      } else {
        target.screen.switchGrid(false);
        target.restoreCursor();
      }
    },
    read: ({ screen }) => screen.isAlternate,
  }),
  row('bracketedPaste', 2004, {
    apply: ({ screen, editedRows, shellMarks }, isOn) => {
      editedRows.takePasteMode(screen, isOn);
      if (!isOn) shellMarks.endPrompt();
    },
  }),
  row('synchronizedOutput', 2026, {
    apply: (target, isOn) => {
      if (!isOn) target.changeCompleted();
    },
  }),
  row('graphemeClusters', 2027, {
    apply: ({ screen }, isOn) => {
      screen.isClustering = isOn;
    },
  }),
  row('colorSchemeReports', 2031),
] as const;

export type ModeName = (typeof modeTable)[number]['name'];

const rows: readonly ModeRow[] = modeTable;

/** Looking up modes must be quick: a key asks for a dozen, and an application may set thousands. */
const rowsByName: ReadonlyMap<string, ModeRow> = new Map(rows.map((mode) => [mode.name, mode]));
const privateRows = rowsByNumber(true);
const ansiRows = rowsByNumber(false);

function rowsByNumber(isPrivate: boolean): ReadonlyMap<number, ModeRow> {
  return new Map(rows.filter((mode) => mode.isPrivate === isPrivate).map((mode) => [mode.number, mode]));
}

/** Modes that can't be changed, grouped by their state; ECMA-48 7, VT420 and xterm. */
export const fixedModes = {
  /** GATM, CRM, SRTM, VEM, HEM, PUM, FEAM, FETM, MATM, TTM, SATM, TSM and EBM. */
  resetAnsi: [1, 3, 5, 7, 10, 11, 13, 14, 15, 16, 17, 18, 19],
  /** Horizontal cursor coupling, DECHCCM. */
  resetPrivate: [60],
  /** Keys repeat, DECARM. */
  setPrivate: [8],
} as const;

/** The states of a mode in DECRPM. */
export const MODE_REPORT = { unknown: 0, set: 1, reset: 2, alwaysSet: 3, alwaysReset: 4 } as const;

/** Stores the states of the modes. */
export class Modes {
  readonly #target: ModeTarget;
  readonly #on = new Set<ModeRow>(rows.filter(({ initial }) => initial));
  /**
   * States that an application saved with XTSAVE, to restore them later: for each saved mode, the modes that were set
   * with it.
   */
  readonly #saved = new Map<ModeRow, ReadonlySet<ModeRow>>();
  readonly #watchers = new Map<ModeRow, Set<() => void>>();

  constructor(target: ModeTarget) {
    this.#target = target;
  }

  get(name: ModeName): boolean {
    // Each key asks for a dozen of them, so there is no further call if the table has the name.
    const mode = rowsByName.get(name) ?? this.#named(name);
    return mode.read === undefined ? this.#on.has(mode) : mode.read(this.#target);
  }

  set(name: ModeName, isOn: boolean): void {
    this.#write(this.#named(name), isOn);
  }

  /**
   * Calls `changed` after every change of the named modes, also by menus and actions, until the returned function is
   * called.
   */
  watch(names: readonly ModeName[], changed: () => void): () => void {
    // This is a separate function, so that watching twice makes two watches.
    const watcher = (): void => changed();
    const watched = names.map((name) => this.#named(name));
    for (const mode of watched) this.#watchers.set(mode, (this.#watchers.get(mode) ?? new Set()).add(watcher));
    return () => {
      for (const mode of watched) this.#watchers.get(mode)?.delete(watcher);
    };
  }

  /** Returns the state of a mode by its number, as DECRPM reports it. */
  report(number: number, isPrivate: boolean): number {
    const mode = this.#numbered(number, isPrivate);
    if (mode !== undefined) return this.#read(mode) ? MODE_REPORT.set : MODE_REPORT.reset;
    const isIn = (numbers: readonly number[]): boolean => numbers.includes(number);
    if (isIn(isPrivate ? fixedModes.resetPrivate : fixedModes.resetAnsi)) return MODE_REPORT.alwaysReset;
    return isPrivate && isIn(fixedModes.setPrivate) ? MODE_REPORT.alwaysSet : MODE_REPORT.unknown;
  }

  /** Sets or resets a mode; it has no effect if the mode is unknown, locked, or missing at the conformance level. */
  setNumbered(number: number, isPrivate: boolean, isOn: boolean): void {
    const mode = this.#numbered(number, isPrivate);
    if (mode !== undefined) this.#change(mode, isOn);
  }

  /** Remembers the state of a private mode, and of those that end when it is set. */
  save(number: number): void {
    const mode = this.#saveable(number);
    if (mode?.savesBySetting === true) this.#change(mode, true);
    else if (mode !== undefined) {
      const together = savedTogether(mode);
      const on = new Set(together.filter((each) => this.#read(each)));
      for (const each of together) this.#saved.set(each, on);
    }
  }

  /** Restores the state that was last saved for a private mode, and for those that end when it is set. */
  restore(number: number): void {
    const mode = this.#saveable(number);
    if (mode?.savesBySetting === true) this.#change(mode, false);
    const on = mode && this.#saved.get(mode);
    if (mode === undefined || on === undefined) return;
    const together = savedTogether(mode);
    for (const each of together) if (!on.has(each)) this.#change(each, false);
    for (const each of on) this.#change(each, true);
  }

  /** Restores the modes of a new terminal; the caller resets screens and saved cursors. */
  reset(): void {
    this.#saved.clear();
    for (const mode of rows) {
      if (mode.read === undefined) this.#write(mode, mode.initial);
    }
  }

  #named(name: ModeName): ModeRow {
    const mode = rowsByName.get(name);
    if (mode === undefined) throw new Error(`no mode is named ${name}`);
    return mode;
  }

  #numbered(number: number, isPrivate: boolean): ModeRow | undefined {
    const mode = (isPrivate ? privateRows : ansiRows).get(number);
    return mode !== undefined && this.#target.level >= mode.level ? mode : undefined;
  }

  #saveable(number: number): ModeRow | undefined {
    const mode = this.#numbered(number, true);
    return mode?.savedAs === undefined ? mode : this.#numbered(mode.savedAs, true);
  }

  #read(mode: ModeRow): boolean {
    return mode.read === undefined ? this.#on.has(mode) : mode.read(this.#target);
  }

  #change(mode: ModeRow, isOn: boolean): void {
    if (mode.isLocked?.(this.#target) !== true) this.#write(mode, isOn);
  }

  #write(mode: ModeRow, isOn: boolean): void {
    const changed: ModeRow[] = this.#on.has(mode) === isOn ? [] : [mode];
    if (isOn) this.#on.add(mode);
    else this.#on.delete(mode);
    if (mode.excludes !== undefined && (isOn || mode.endsAll === true)) {
      for (const other of rows) {
        if (other.isPrivate && mode.excludes.includes(other.number) && this.#on.delete(other)) changed.push(other);
      }
    }
    mode.apply?.(this.#target, isOn);
    const watchers = new Set(changed.flatMap((each) => [...(this.#watchers.get(each) ?? [])]));
    for (const watcher of watchers) watcher();
  }
}

/**
 * Returns the mode and all modes that exclude it: they are saved and restored together, since setting one ends the
 * others.
 */
function savedTogether(mode: ModeRow): readonly ModeRow[] {
  const isOfGroup = ({ isPrivate, number }: ModeRow): boolean => isPrivate && mode.excludes?.includes(number) === true;
  return [mode, ...rows.filter(isOfGroup)];
}
