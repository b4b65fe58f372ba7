import type { WireEvent } from 'x11';
import type { Diagnostics } from '../diagnostics.ts';
import { Keymap, STATE } from '../input/keymap.ts';
import { keysymNamed } from '../input/keysyms.ts';
import type { ActionCall, Binding, BoundEvent } from '../translations/binding.ts';
import { DEFAULT_TRANSLATIONS } from '../translations/default-translations.ts';
import { FIXED_MASKS, type ModifierMasks, matchBinding } from '../translations/matcher.ts';
import { parseTranslations } from '../translations/parser.ts';
import type { XConnection } from '../x11/connection.ts';

/** The keyboard as the server has it now. */
export async function loadKeymap(connection: XConnection): Promise<Keymap> {
  const { first, last } = connection.keycodes;
  const [rows, modifierRows] = await Promise.all([
    connection.ask<number[][]>('the keyboard mapping', (client, reply) =>
      client.GetKeyboardMapping(first, last - first + 1, reply),
    ),
    connection.ask<number[][]>('the modifier mapping', (client, reply) => client.GetModifierMapping(reply)),
  ]);
  return new Keymap(rows, first, modifierRows);
}

/** The bindings in force: the built-in ones with the user's table joined as its directive says. */
export function loadBindings(translations: string | undefined, diagnostics: Diagnostics): readonly Binding[] {
  const builtIn = parseTranslations(DEFAULT_TRANSLATIONS, keysymNamed).bindings;
  if (translations === undefined) return builtIn;
  const { directive, bindings, problems } = parseTranslations(translations, keysymNamed);
  for (const problem of problems) diagnostics.warning(`resource vt100.translations: ${problem}; the line is left out`);
  if (directive === 'replace') return bindings;
  return directive === 'override' ? [...bindings, ...builtIn] : [...builtIn, ...bindings];
}

const BOUND_EVENTS: Readonly<Record<string, BoundEvent>> = {
  KeyPress: 'KeyPress',
  ButtonPress: 'ButtonPress',
  ButtonRelease: 'ButtonRelease',
  MotionNotify: 'MotionNotify',
};

/** What the bindings say to an event of the window; undefined when none fits. */
export function findCalls(
  bindings: readonly Binding[],
  keymap: Keymap,
  { name = '', keycode, buttons: state }: WireEvent,
): readonly ActionCall[] | undefined {
  const event = BOUND_EVENTS[name];
  if (event === undefined) return undefined;
  const details =
    event === 'KeyPress' ? [keymap.keysym(keycode, state), keymap.plainKeysym(keycode, state)] : [keycode];
  return matchBinding(bindings, { event, state, details }, masksOf(keymap));
}

/** A keyboard without Meta has Alt in its place, as X programs expect. */
function masksOf({ modifiers }: Keymap): ModifierMasks {
  return {
    ...FIXED_MASKS,
    Alt: modifiers.alt,
    Meta: modifiers.meta === 0 ? modifiers.alt : modifiers.meta,
    Super: modifiers.super,
    Hyper: modifiers.hyper,
    '@Num_Lock': modifiers.numLock,
  };
}

/** The modifiers that change what a key sends. */
export function keyModifiers(
  keymap: Keymap,
  state: number,
): { shift: boolean; alt: boolean; control: boolean; numLock: boolean } {
  const { alt, meta, numLock } = keymap.modifiers;
  return {
    shift: (state & STATE.shift) !== 0,
    alt: (state & (alt | meta)) !== 0,
    control: (state & STATE.control) !== 0,
    numLock: (state & numLock) !== 0,
  };
}
