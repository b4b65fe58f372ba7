import { keysymNamed } from '../input/keysyms.ts';
import type { Binding } from '../translations/binding.ts';
import type { BindableKeys } from '../translations/matcher.ts';
import { parseTranslations } from '../translations/parser.ts';
import { TranslationTable } from '../translations/translation-table.ts';
import { type TimedEvent, Translator, type TranslatorParts } from '../translations/translator.ts';
import { ScrollbarActions, type ScrollbarCall } from './scrollbar-actions.ts';

/** The widget's own bindings, and those of the wheel. */
const DEFAULTS = `
<Btn1Down>: StartScroll(Forward)
<Btn2Down>: StartScroll(Continuous) MoveThumb() NotifyThumb()
<Btn3Down>: StartScroll(Backward)
<Btn4Down>: StartScroll(Backward)
<Btn5Down>: StartScroll(Forward)
Button2 <BtnMotion>: MoveThumb() NotifyThumb()
<BtnUp>: NotifyScroll(Proportional) EndScroll()
`;

/**
 * Returns the translation of events on the scrollbar to actions.
 * @param table the resource `scrollbar.translations`, joined with the built-in table as its directive says
 */
export function scrollbarBindings(
  table: string | undefined,
  parts: Pick<TranslatorParts, 'multiClickMs'> & { keys(): BindableKeys; warn(message: string): void },
): (event: TimedEvent) => readonly ScrollbarCall[] {
  const { keys, multiClickMs, warn } = parts;
  const tables = joinTables(table, warn);
  // The scrollbar requests no property events, so that their names never matter.
  const translator = new Translator({ table: new TranslationTable(tables), atomNamed: () => undefined, multiClickMs });
  return (event) => translator.translate(event, keys()) ?? [];
}

function joinTables(table: string | undefined, warn: (message: string) => void): (readonly Binding[])[] {
  const builtIn = parseTranslations(DEFAULTS, keysymNamed).bindings;
  if (table === undefined) return [builtIn];
  const { directive, bindings, problems } = parseTranslations(table, keysymNamed);
  for (const problem of problems) warn(`resource scrollbar.translations: ${problem}`);
  const unknown = new Set(bindings.flatMap(({ calls }) => calls.map(({ action }) => action)).filter(isUnknown));
  for (const name of unknown) warn(`resource scrollbar.translations: the scrollbar has no action ${name}()`);
  if (directive === 'replace') return [bindings];
  return directive === 'override' ? [bindings, builtIn] : [builtIn, bindings];
}

/** Whether the action is unknown; `ignore` is valid in every table. */
const isUnknown = (name: string): boolean => name !== 'ignore' && !ScrollbarActions.has(name);
