import { CoreKeymap } from '../../../../src/termprog/input/core-keymap.ts';
import { KeyMeanings } from '../../../../src/termprog/input/key-meanings.ts';

import { isModifier, keysymNamed } from '../../../../src/termprog/input/keysyms.ts';
import type { BoundEvent } from '../../../../src/termprog/translations/event-pattern.ts';
import { parseTranslations } from '../../../../src/termprog/translations/parser.ts';
import { TranslationTable } from '../../../../src/termprog/translations/translation-table.ts';
import { Translator } from '../../../../src/termprog/translations/translator.ts';

/** A keyboard for tests: rows of keysyms by keycode, and the keycodes of the eight modifiers. */
export function keyboardOf(rows: ReadonlyMap<number, readonly number[]>, modifiers: readonly (readonly number[])[]) {
  const table = Array.from({ length: 256 }, (_, keycode) => rows.get(keycode) ?? []);
  const keymap = new CoreKeymap(table, 0, modifiers);
  return { keymap, meanings: new KeyMeanings(keymap) };
}

/** Names of the atoms that tests use; X11 protocol. */
const ATOMS = new Map([['WM_NAME', 39]]);

/** A translator of tables in the order of their directive; each event gives its actions, `undefined` when it is not taken. */
export function translate(user: string, builtIn: string, keyboard: ReturnType<typeof keyboardOf>) {
  const own = parseTranslations(user, keysymNamed);
  const others = parseTranslations(builtIn, keysymNamed).bindings;
  const tables = {
    replace: [own.bindings],
    override: [own.bindings, others],
    augment: [others, own.bindings],
  }[own.directive];
  const translator = new Translator({
    table: new TranslationTable(tables),
    atomNamed: (name) => ATOMS.get(name),
    multiClickMs: () => 250,
  });
  return (event: BoundEvent, which: number, state: number, time: number): string | undefined => {
    const isKey = event === 'KeyPress' || event === 'KeyRelease';
    const isTimed = isKey || event === 'ButtonPress' || event === 'ButtonRelease';
    const calls = translator.translate(
      {
        event,
        state,
        detail: isKey ? 0 : which,
        keycode: isKey ? which : 0,
        time: isTimed ? time : undefined,
        isIncidental: event === 'MotionNotify' || (isKey && isModifier(keyboard.keymap.keysym(which, state))),
      },
      keyboard.meanings,
    );
    return calls
      ?.map(({ action, parameters }) => `${action}(${parameters.map((parameter) => `[${parameter}]`).join()})`)
      .join(' ');
  };
}
