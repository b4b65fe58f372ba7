import type { WireEvent } from 'x11';
import type { Diagnostics } from '../diagnostics.ts';
import type { Keymap } from '../input/keymap.ts';
import { isModifier, keysymNamed } from '../input/keysyms.ts';
import type { Action, Ports } from '../ports/action.ts';
import type { ActionEvent } from '../ports/action-event.ts';
import type { ActionCall, Binding, BoundEvent } from '../translations/binding.ts';
import { DEFAULT_TRANSLATIONS } from '../translations/default-translations.ts';
import { FIXED_MASKS, type ModifierMasks, matchBinding } from '../translations/matcher.ts';
import { parseTranslations } from '../translations/parser.ts';

export interface DispatcherParts {
  keymap(): Keymap;
  /** Called once, when the first event needs them. */
  bindings(): readonly Binding[];
  actions: readonly Action[];
  /** Actions of the specification that do not exist yet. */
  pendingActions: readonly string[];
  ports: Ports;
  warn(message: string): void;
}

const BOUND_EVENTS: Readonly<Record<string, { event: BoundEvent; kind: ActionEvent['kind'] }>> = {
  KeyPress: { event: 'KeyPress', kind: 'key' },
  ButtonPress: { event: 'ButtonPress', kind: 'press' },
  ButtonRelease: { event: 'ButtonRelease', kind: 'release' },
  MotionNotify: { event: 'MotionNotify', kind: 'motion' },
};

/**
 * The bindings in force: the built-in ones with the user's table joined as its directive says. A user's table is read
 * now, for its faults are told at the start. The built-in one is read with the first event: it needs the names of all keys.
 */
export function loadBindings(translations: string | undefined, diagnostics: Diagnostics): () => readonly Binding[] {
  if (translations === undefined) return builtInBindings;
  const bindings = joinBindings(translations, diagnostics);
  return () => bindings;
}

function builtInBindings(): readonly Binding[] {
  return parseTranslations(DEFAULT_TRANSLATIONS, keysymNamed).bindings;
}

function joinBindings(translations: string, diagnostics: Diagnostics): readonly Binding[] {
  const builtIn = builtInBindings();
  const { directive, bindings, problems } = parseTranslations(translations, keysymNamed);
  for (const problem of problems) diagnostics.warning(`resource vt100.translations: ${problem}`);
  if (directive === 'replace') return bindings;
  return directive === 'override' ? [...bindings, ...builtIn] : [...builtIn, ...bindings];
}

/** Last stage of the input: runs the actions of a matching translation; other keys go to the application. */
export class ActionDispatcher {
  readonly #parts: DispatcherParts;
  readonly #actions: ReadonlyMap<string, Action>;
  #bindings: ReadonlyMap<BoundEvent, readonly Binding[]> | undefined;
  readonly #told = new Set<string>();
  /** Modifiers of the keymap of the last event; the keymap seldom changes. */
  #masks: { keymap: Keymap; masks: ModifierMasks } | undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#actions = new Map(parts.actions.map((action) => [action.name, action]));
  }

  dispatch({ name = '', keycode, buttons: state, x, y, time }: WireEvent): void {
    const bound = BOUND_EVENTS[name];
    if (bound === undefined) return;
    const { ports } = this.#parts;
    const keymap = this.#parts.keymap();
    const keysym = bound.kind === 'key' ? keymap.keysym(keycode, state) : 0;
    const details = bound.kind === 'key' ? [keysym, keymap.plainKeysym(keycode, state)] : [keycode];
    const isKey = bound.kind === 'key';
    const isButton = bound.kind === 'press' || bound.kind === 'release';
    const input: ActionEvent = {
      kind: bound.kind,
      keysym,
      keycode: isKey ? keycode : 0,
      button: isButton ? keycode : 0,
      state,
      x,
      y,
      time,
    };
    this.#bindings ??= Map.groupBy(this.#parts.bindings(), ({ event }) => event);
    const bindings = this.#bindings.get(bound.event) ?? [];
    const calls = matchBinding(bindings, { event: bound.event, state, details }, this.#masksOf(keymap));
    if (calls !== undefined) for (const call of calls) this.#run(call, input);
    else if (bound.kind === 'key' && !isModifier(keysym)) ports.keys.sendKey(input);
  }

  #masksOf(keymap: Keymap): ModifierMasks {
    if (this.#masks?.keymap !== keymap) this.#masks = { keymap, masks: masksOf(keymap) };
    return this.#masks.masks;
  }

  #run({ action: name, parameters }: ActionCall, event: ActionEvent): void {
    const action = this.#actions.get(name);
    if (action !== undefined) action.run(this.#parts.ports, event, parameters);
    else this.#tellMissing(name);
  }

  /** Reports each action once: a bound button could fill the screen with messages. */
  #tellMissing(name: string): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    const isPending = this.#parts.pendingActions.includes(name);
    this.#parts.warn(
      isPending ? `action ${name}() has no effect in this version` : `translations: there is no action ${name}()`,
    );
  }
}

/** On a keyboard without Meta, Alt takes its place, as X programs expect. */
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
