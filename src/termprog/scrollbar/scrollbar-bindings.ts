import type { Binding } from '../translations/binding.ts';
import { FIXED_MASKS, type ModifierMasks, matchBinding } from '../translations/matcher.ts';
import { parseTranslations } from '../translations/parser.ts';
import { ScrollbarActions, type ScrollbarCall } from './scrollbar-actions.ts';

/** The widget's own, and the wheel's. */
const DEFAULTS = `
<Btn1Down>: StartScroll(Forward)
<Btn2Down>: StartScroll(Continuous) MoveThumb() NotifyThumb()
<Btn3Down>: StartScroll(Backward)
<Btn4Down>: StartScroll(Backward)
<Btn5Down>: StartScroll(Forward)
Button2 <BtnMotion>: MoveThumb() NotifyThumb()
<BtnUp>: NotifyScroll(Proportional) EndScroll()
`;

/** Modifiers that only a keyboard's map knows; the buttons of a scrollbar do without. */
const MASKS: ModifierMasks = { ...FIXED_MASKS, Alt: 0, Meta: 0, Super: 0, Hyper: 0, '@Num_Lock': 0 };

/** A button or the pointer's motion over the scrollbar. */
export interface ScrollbarEvent {
  event: 'ButtonPress' | 'ButtonRelease' | 'MotionNotify';
  /** Of the button; 0 for motion. */
  button: number;
  /** Modifiers and buttons held just before it. */
  state: number;
}

/**
 * What buttons do on the scrollbar.
 * @param table the resource `scrollbar.translations`, joined with the built-in table as its directive says
 */
export function scrollbarBindings(
  table: string | undefined,
  warn: (message: string) => void,
): (event: ScrollbarEvent) => readonly ScrollbarCall[] {
  const bindings = joinTables(table, warn);
  return ({ event, button, state }) => matchBinding(bindings, { event, state, details: [button] }, MASKS) ?? [];
}

function joinTables(table: string | undefined, warn: (message: string) => void): readonly Binding[] {
  const builtIn = parseTranslations(DEFAULTS, () => undefined).bindings;
  if (table === undefined) return builtIn;
  const { directive, bindings, problems } = parseTranslations(table, () => undefined);
  for (const problem of problems) warn(`resource scrollbar.translations: ${problem}`);
  const unknown = new Set(bindings.flatMap(({ calls }) => calls.map(({ action }) => action)).filter(isUnknown));
  for (const name of unknown) warn(`resource scrollbar.translations: the scrollbar has no action ${name}()`);
  if (directive === 'replace') return bindings;
  return directive === 'override' ? [...bindings, ...builtIn] : [...builtIn, ...bindings];
}

/** `ignore` does nothing, in every table. */
const isUnknown = (name: string): boolean => name !== 'ignore' && !ScrollbarActions.has(name);
