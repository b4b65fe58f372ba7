import type { Screen } from './screen.ts';

/** What modes change. */
export interface ModeTarget {
  readonly screen: Screen;
  clearScreen(): void;
  restoreCursor(): void;
}

interface ModeRow {
  name: string;
  /** Set by `CSI Pm h`, or, when private, by `CSI ? Pm h`. */
  isPrivate: boolean;
  number: number;
  initial: boolean;
  /** Modes that end when this one is set. */
  excludes?: readonly number[];
  /** The immediate effect; most modes have none and are read when they matter. */
  apply?(target: ModeTarget, isOn: boolean): void;
  /** Where the mode's state is kept, when not in the table. */
  read?(target: ModeTarget): boolean;
}

const row = <Name extends string>(
  name: Name,
  number: number,
  options: { isPrivate?: boolean; initial?: boolean } & Pick<ModeRow, 'excludes' | 'apply' | 'read'> = {},
): ModeRow & { name: Name } => ({ name, number, isPrivate: true, initial: false, ...options });

const MOUSE_PROTOCOLS = [9, 1000, 1002, 1003];
const MOUSE_ENCODINGS = [1006, 1016];
const othersOf = (modes: readonly number[], number: number): number[] => modes.filter((mode) => mode !== number);
const mouse = <Name extends string>(name: Name, number: number, family: readonly number[]): ModeRow & { name: Name } =>
  row(name, number, { excludes: othersOf(family, number) });

/** Every mode that applications, menus and actions set and read; one row each. */
export const modeTable = [
  row('insert', 4, {
    isPrivate: false,
    apply: ({ screen }, isOn) => {
      screen.isInsert = isOn;
    },
  }),
  row('autoLinefeed', 20, {
    isPrivate: false,
    apply: ({ screen }, isOn) => {
      screen.isLinefeedNewLine = isOn;
    },
  }),
  row('applicationCursorKeys', 1),
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
  mouse('mouseX10', 9, MOUSE_PROTOCOLS),
  row('cursorBlink', 12),
  row('cursorVisible', 25, { initial: true }),
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
  mouse('mouseButtons', 1000, MOUSE_PROTOCOLS),
  mouse('mouseDrag', 1002, MOUSE_PROTOCOLS),
  mouse('mouseMotion', 1003, MOUSE_PROTOCOLS),
  row('focusEvents', 1004),
  mouse('mouseSgr', 1006, MOUSE_ENCODINGS),
  mouse('mouseSgrPixels', 1016, MOUSE_ENCODINGS),
  row('alternateScreen1047', 1047, {
    apply: (target, isOn) => {
      if (!isOn && target.screen.isAlternate) target.clearScreen();
      target.screen.switchGrid(isOn);
    },
    read: ({ screen }) => screen.isAlternate,
  }),
  row('savedCursor', 1048, {
    apply: (target, isOn) => (isOn ? target.screen.saveCursor() : target.restoreCursor()),
  }),
  row('alternateScreen', 1049, {
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
  row('bracketedPaste', 2004),
  row('synchronizedOutput', 2026),
] as const;

export type ModeName = (typeof modeTable)[number]['name'];

const rows: readonly ModeRow[] = modeTable;

/** The modes' states. */
export class Modes {
  readonly #target: ModeTarget;
  readonly #on = new Set<ModeRow>(rows.filter(({ initial }) => initial));

  constructor(target: ModeTarget) {
    this.#target = target;
  }

  get(name: ModeName): boolean {
    return this.#read(this.#named(name));
  }

  set(name: ModeName, isOn: boolean): void {
    this.#write(this.#named(name), isOn);
  }

  /** By its number; undefined for a mode that is not in the table. */
  getNumbered(number: number, isPrivate: boolean): boolean | undefined {
    const mode = rows.find((candidate) => candidate.number === number && candidate.isPrivate === isPrivate);
    return mode && this.#read(mode);
  }

  /** Does nothing for a mode that is not in the table. */
  setNumbered(number: number, isPrivate: boolean, isOn: boolean): void {
    const mode = rows.find((candidate) => candidate.number === number && candidate.isPrivate === isPrivate);
    if (mode !== undefined) this.#write(mode, isOn);
  }

  /** Back to the modes of a new terminal; the caller resets screens and saved cursors. */
  reset(): void {
    for (const mode of rows) {
      if (mode.read === undefined && mode.name !== 'savedCursor') this.#write(mode, mode.initial);
    }
  }

  #named(name: ModeName): ModeRow {
    const mode = rows.find((candidate) => candidate.name === name);
    if (mode === undefined) throw new Error(`no mode is named ${name}`);
    return mode;
  }

  #read(mode: ModeRow): boolean {
    return mode.read === undefined ? this.#on.has(mode) : mode.read(this.#target);
  }

  #write(mode: ModeRow, isOn: boolean): void {
    if (isOn) this.#on.add(mode);
    else this.#on.delete(mode);
    if (isOn && mode.excludes !== undefined) {
      for (const other of rows) if (other.isPrivate && mode.excludes.includes(other.number)) this.#on.delete(other);
    }
    mode.apply?.(this.#target, isOn);
  }
}
