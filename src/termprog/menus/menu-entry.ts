import type { OptionName } from '../options/option-types.ts';
import type { ModePort } from '../ports/states.ts';
import type { MenuTargets } from './menu-targets.ts';

/** Modes that a menu switches on and off. */
type ModeName = Parameters<ModePort['get']>[0];

/** An entry of a menu; its state is read when the menu is shown. */
export interface MenuEntry {
  /** Name of its widget in the reference terminal: `*mainMenu*NAME*Label` sets its label. */
  name: string;
  label: string;
  /** A slider is set between its ends; the others are chosen. */
  kind: 'command' | 'toggle' | 'slider';
  /** The option or mode that a toggle or slider changes, if it changes only one. */
  changes?: { option: OptionName } | { mode: ModeName };
  /** Whether it can be chosen now. */
  isSensitive(targets: MenuTargets): boolean;
  /** Whether it has a check mark. */
  isChecked(targets: MenuTargets): boolean;
  run(targets: MenuTargets): void;
  /** Position of a slider, from 0 to 1. */
  value?(targets: MenuTargets): number;
  slide?(targets: MenuTargets, value: number): void;
}

/** A group of entries; a line separates it from the next one. */
export type MenuGroup = readonly MenuEntry[];

export interface Menu {
  name: MenuName;
  title: string;
  groups: readonly MenuGroup[];
}

export type MenuName = 'mainMenu' | 'vtMenu' | 'fontMenu';

/** Options that are true or false and take effect at once. */
type SwitchName =
  | 'scrollBar'
  | 'reverseVideo'
  | 'scrollKey'
  | 'scrollTtyOutput'
  | 'selectToClipboard'
  | 'forceBoxChars'
  | 'allowColorOps'
  | 'allowMouseOps'
  | 'allowTcapOps'
  | 'allowTitleOps'
  | 'allowWindowOps';

const always = (): boolean => true;
const never = (): boolean => false;

/** Returns an entry of the reference terminal whose function this terminal lacks. */
export function unavailable(name: string, label: string): MenuEntry {
  return { name, label, kind: 'command', isSensitive: never, isChecked: never, run: () => {} };
}

export function command(name: string, label: string, run: (targets: MenuTargets) => void): MenuEntry {
  return { name, label, kind: 'command', isSensitive: always, isChecked: never, run };
}

export function toggleOption(
  name: string,
  label: string,
  option: SwitchName,
  isSensitive: MenuEntry['isSensitive'] = always,
): MenuEntry {
  return {
    name,
    label,
    kind: 'toggle',
    changes: { option },
    isSensitive,
    isChecked: ({ options }) => options.get(option),
    run: ({ options }) => options.set(option, !options.get(option)),
  };
}

export function toggleMode(name: string, label: string, mode: ModeName): MenuEntry {
  return {
    name,
    label,
    kind: 'toggle',
    changes: { mode },
    isSensitive: always,
    isChecked: ({ modes }) => modes.get(mode),
    run: ({ modes }) => modes.set(mode, !modes.get(mode)),
  };
}

/** Returns an entry of VT Fonts that switches to its own font; the present one is checked. */
export function fontSlot(name: string, label: string, slot: number): MenuEntry {
  return {
    name,
    label,
    kind: 'toggle',
    isSensitive: always,
    isChecked: ({ fonts }) => fonts.slot === slot,
    run: ({ fonts }) => fonts.select(slot),
  };
}
