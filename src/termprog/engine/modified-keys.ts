/** How keys report the modifiers they are pressed with; XTMODKEYS and XTFMTKEYS. */
export interface ModifiedKeys {
  /** The setting of cursor keys; -1 and up. */
  cursorKeys: number;
  /** The setting of function keys. */
  functionKeys: number;
  /** The setting of the keypad; it is remembered and reported, as in xterm. */
  keypadKeys: number;
  /**
   * The setting of all other keys: 0 sends them without change, 1 reports modifiers that would be lost, 2 reports all.
   */
  otherKeys: number;
  /** 0 reports other keys as `CSI 27 ; modifiers ; character ~`, 1 as `CSI character ; modifiers u`. */
  formatOtherKeys: number;
}

/** The settings of a new terminal. */
export const INITIAL_MODIFIED_KEYS: Readonly<ModifiedKeys> = {
  cursorKeys: 2,
  functionKeys: 2,
  keypadKeys: 0,
  otherKeys: 0,
  formatOtherKeys: 0,
};

/** Modifiers have no effect on what a key sends. */
export const MODIFIERS_OFF = -1;

/** Largest value of each; XTMODKEYS. */
const MODIFY_MAX = 3;

type Resource = Exclude<keyof ModifiedKeys, 'formatOtherKeys'>;

/** The resources by the numbers of control functions. */
const RESOURCES: Readonly<Record<number, Resource>> = {
  1: 'cursorKeys',
  2: 'functionKeys',
  3: 'keypadKeys',
  4: 'otherKeys',
};

const isResource = (number: number): boolean => Object.hasOwn(RESOURCES, number);

/** Stores the settings, which control functions change by the numbers of xterm's resources. */
export class ModifiedKeySettings {
  #values: ModifiedKeys = { ...INITIAL_MODIFIED_KEYS };

  get values(): Readonly<ModifiedKeys> {
    return this.#values;
  }

  /** @param value the initial one by default */
  modify(number: number, value: number | undefined): void {
    const name = RESOURCES[number];
    if (name === undefined || (value ?? 0) > MODIFY_MAX) return;
    this.#values = { ...this.#values, [name]: value ?? INITIAL_MODIFIED_KEYS[name] };
  }

  /** Takes all effect from modifiers; without a number, from those of function keys. */
  disable(number: number | undefined): void {
    const name = RESOURCES[number ?? 2];
    if (name !== undefined) this.#values = { ...this.#values, [name]: MODIFIERS_OFF };
  }

  /** Returns a setting; undefined for an unknown number. */
  modified(number: number): number | undefined {
    return isResource(number) ? this.#values[RESOURCES[number] as Resource] : undefined;
  }

  /** Sets a format; only the format of other keys has an effect. */
  format(number: number, value: number | undefined): void {
    if (number !== 4 || (value ?? 0) > 1) return;
    this.#values = { ...this.#values, formatOtherKeys: value ?? INITIAL_MODIFIED_KEYS.formatOtherKeys };
  }

  formatted(number: number): number | undefined {
    return number === 4 ? this.#values.formatOtherKeys : undefined;
  }

  resetModifications(): void {
    const { formatOtherKeys } = this.#values;
    this.#values = { ...INITIAL_MODIFIED_KEYS, formatOtherKeys };
  }

  reset(): void {
    this.#values = { ...INITIAL_MODIFIED_KEYS };
  }
}
