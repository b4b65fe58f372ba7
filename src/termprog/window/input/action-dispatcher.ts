import type { WireEvent } from 'x11';
import type { Diagnostics } from '../../diagnostics.ts';
import type { KeyMeanings } from '../../input/key-meanings.ts';
import type { Keymap } from '../../input/keymap.ts';
import { isModifier, keysymNamed } from '../../input/keysyms.ts';
import type { Action, Ports } from '../../ports/action.ts';
import type { ActionEvent } from '../../ports/action-event.ts';
import type { ActionCall, Binding } from '../../translations/binding.ts';
import { DEFAULT_TRANSLATIONS } from '../../translations/default-translations.ts';
import type { BoundEvent } from '../../translations/event-pattern.ts';
import type { AtomNamed } from '../../translations/matcher.ts';
import { parseTranslations } from '../../translations/parser.ts';
import { TranslationTable } from '../../translations/translation-table.ts';
import { Translator } from '../../translations/translator.ts';
import { inputOf } from './bound-event.ts';
import type { KeyReleasePort } from './key-port.ts';
import { meaningsOf } from './meanings-of.ts';

export interface DispatcherParts {
  keymap(): Keymap;
  bindings: LoadedBindings;
  actions: readonly Action[];
  ports: Ports & { keys: Pick<KeyReleasePort, 'releaseKey'> };
  atomNamed: AtomNamed;
  warn(message: string): void;
}

/** The bindings in force. */
export interface LoadedBindings {
  /** Bindings of the user's table; empty without the resource. */
  own: readonly Binding[];
  /** Tables in the order of lookup. Called once, when the first event needs them. */
  tables(): readonly (readonly Binding[])[];
}

/**
 * Loads the bindings in force: the built-in ones, joined with the user's table as its directive says. The user's table
 * is parsed now, so that its faults are reported at the start. The built-in table is parsed with the first event,
 * because it needs the names of all keys.
 */
export function loadBindings(translations: string | undefined, diagnostics: Diagnostics): LoadedBindings {
  if (translations === undefined) return { own: [], tables: () => [builtInBindings()] };
  const { directive, bindings: own, problems } = parseTranslations(translations, keysymNamed);
  for (const problem of problems) diagnostics.warning(`resource vt100.translations: ${problem}`);
  if (directive === 'replace') return { own, tables: () => [own] };
  return {
    own,
    tables: () => (directive === 'override' ? [own, builtInBindings()] : [builtInBindings(), own]),
  };
}

function builtInBindings(): readonly Binding[] {
  return parseTranslations(DEFAULT_TRANSLATIONS, keysymNamed).bindings;
}

/**
 * Last stage of the input: runs the actions of a matching translation; other key presses go to the application. It owns
 * the translator, and with it the sequence of events that a translation with several steps has seen so far.
 */
export class ActionDispatcher {
  readonly #parts: DispatcherParts;
  readonly #actions: ReadonlyMap<string, Action>;
  readonly #meanings: () => KeyMeanings;
  #translator: Translator | undefined;
  readonly #logged = new Set<string>();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#meanings = meaningsOf(() => parts.keymap());
    this.#actions = new Map(parts.actions.map((action) => [action.name, action]));
  }

  dispatch(event: WireEvent): void {
    const bound = inputOf(event);
    if (bound === undefined) return;
    const keymap = this.#parts.keymap();
    const isKey = bound.event === 'KeyPress' || bound.event === 'KeyRelease';
    const keysym = isKey ? keymap.keysym(bound.keycode, bound.state) : 0;
    const isIncidental = bound.event === 'MotionNotify' || (isKey && isModifier(keysym));
    const timed = { ...bound, isIncidental };
    const calls = this.#translatorInForce().translate(timed, this.#meanings());
    const input: ActionEvent = {
      kind: KINDS[bound.event] ?? 'other',
      keysym,
      keycode: bound.keycode,
      button: bound.button,
      state: bound.state,
      x: bound.x,
      y: bound.y,
      time: event.time ?? 0,
    };
    if (calls !== undefined) for (const call of calls) this.#run(call, input);
    else if (bound.event === 'KeyPress') this.#parts.ports.keys.sendKey(input);
    this.release(event);
  }

  /** Ends a key that the application may count as pressed; has no effect for events other than releases of keys. */
  release(event: WireEvent): void {
    if (event.name === 'KeyRelease') this.#parts.ports.keys.releaseKey({ ...event, state: event.buttons });
  }

  #translatorInForce(): Translator {
    const { bindings, ports, atomNamed } = this.#parts;
    this.#translator ??= new Translator({
      table: new TranslationTable(bindings.tables()),
      atomNamed,
      multiClickMs: () => ports.options.get('multiClickTime'),
    });
    return this.#translator;
  }

  #run({ action: name, parameters }: ActionCall, event: ActionEvent): void {
    const action = this.#actions.get(name);
    if (action !== undefined) action.run(this.#parts.ports, event, parameters);
    else this.#logMissing(name);
  }

  /** Reports each missing action once: a bound button could fill the screen with messages. */
  #logMissing(name: string): void {
    if (this.#logged.has(name)) return;
    this.#logged.add(name);
    this.#parts.warn(`translations: there is no action ${name}()`);
  }
}

/** Event type → the kind that actions see; all other events are `other`. */
const KINDS: Readonly<Partial<Record<BoundEvent, ActionEvent['kind']>>> = {
  KeyPress: 'key',
  ButtonPress: 'press',
  ButtonRelease: 'release',
  MotionNotify: 'motion',
};
