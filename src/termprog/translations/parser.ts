import type { ActionCall, Binding, BoundEvent, ModifierName } from './binding.ts';

/** How a table combines with the existing one; X Toolkit Intrinsics, appendix B. */
export type Directive = 'replace' | 'override' | 'augment';

export interface TranslationTable {
  directive: Directive;
  bindings: readonly Binding[];
  /** What could not be read, with the reason; of many lines only their number is told. */
  problems: readonly string[];
}

const MODIFIERS = new Map<string, ModifierName>(
  Object.entries({
    Shift: 'Shift',
    s: 'Shift',
    Lock: 'Lock',
    l: 'Lock',
    Ctrl: 'Ctrl',
    c: 'Ctrl',
    Meta: 'Meta',
    m: 'Meta',
    Alt: 'Alt',
    a: 'Alt',
    Super: 'Super',
    Hyper: 'Hyper',
    Mod1: 'Mod1',
    Mod2: 'Mod2',
    Mod3: 'Mod3',
    Mod4: 'Mod4',
    Mod5: 'Mod5',
    Button1: 'Button1',
    Button2: 'Button2',
    Button3: 'Button3',
    Button4: 'Button4',
    Button5: 'Button5',
    '@Num_Lock': '@Num_Lock',
  } satisfies Record<string, ModifierName>),
);

const EVENTS = new Map<string, BoundEvent>(
  Object.entries({
    Key: 'KeyPress',
    KeyPress: 'KeyPress',
    KeyDown: 'KeyPress',
    KeyUp: 'KeyRelease',
    KeyRelease: 'KeyRelease',
    BtnDown: 'ButtonPress',
    ButtonPress: 'ButtonPress',
    BtnUp: 'ButtonRelease',
    ButtonRelease: 'ButtonRelease',
    BtnMotion: 'MotionNotify',
    Motion: 'MotionNotify',
    MotionNotify: 'MotionNotify',
    PtrMoved: 'MotionNotify',
  } satisfies Record<string, BoundEvent>),
);

/** Lines that are read, and problems that are told one by one; far above what anybody writes. */
const LINES_MAX = 10_000;
const PROBLEMS_MAX = 10;

const BINDING_EXPECTED = 'expected MODIFIERS <EVENT> DETAIL: ACTION()';

class UnreadableLine extends Error {}

/**
 * Reads a translation table: a directive, then a line for each binding.
 * A line that can't be read is reported and left out; the other lines stay valid.
 * @param keysymNamed gives the number of a key's name
 */
export function parseTranslations(text: string, keysymNamed: (name: string) => number | undefined): TranslationTable {
  const bindings: Binding[] = [];
  const problems: string[] = [];
  let directive: Directive = 'replace';
  const lines = text.split('\n', LINES_MAX + 1);
  for (const line of lines.slice(0, LINES_MAX).map((part) => part.trim())) {
    const found = /^#(replace|override|augment)\b/.exec(line)?.[1];
    const rest = found === undefined ? line : line.slice(found.length + 1).trim();
    if (found !== undefined) directive = found as Directive;
    if (rest === '') continue;
    try {
      bindings.push(parseBinding(rest, keysymNamed));
    } catch (error) {
      if (!(error instanceof UnreadableLine)) throw error;
      problems.push(`"${rest}": ${error.message}; the line is left out`);
    }
  }
  return { directive, bindings, problems: summarize(problems, lines.length > LINES_MAX) };
}

/** Of many problems the first ones, and how many more there are. */
function summarize(problems: readonly string[], isCut: boolean): string[] {
  const more = problems.length - PROBLEMS_MAX;
  return [
    ...problems.slice(0, PROBLEMS_MAX),
    ...(more > 0 ? [`${more} more lines can't be read and are left out`] : []),
    ...(isCut ? [`only the first ${LINES_MAX} lines are read`] : []),
  ];
}

function parseBinding(line: string, keysymNamed: (name: string) => number | undefined): Binding {
  const [modifiers, eventOn] = splitAt(line, '<');
  const [event, detailOn] = splitAt(eventOn, '>');
  const [detail, actions] = splitAt(detailOn, ':');
  if (!/^[A-Za-z0-9]+$/.test(event) || /[\s(]/.test(detail)) throw new UnreadableLine(BINDING_EXPECTED);
  return { ...parseModifiers(modifiers), ...parseEvent(event, detail, keysymNamed), calls: parseCalls(actions) };
}

/** The texts before and after the first separator, without blanks around them. */
function splitAt(text: string, separator: string): [before: string, behind: string] {
  const at = text.indexOf(separator);
  if (at < 0) throw new UnreadableLine(BINDING_EXPECTED);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function parseModifiers(text: string): Pick<Binding, 'required' | 'forbidden' | 'isExact'> {
  const isExact = text.startsWith('!');
  const words = text.replace(/~\s+/g, '~').match(/~?@?\w+/g) ?? [];
  const required: ModifierName[] = [];
  const forbidden: ModifierName[] = [];
  for (const word of words) {
    if (word === 'None') return { required: [], forbidden: [], isExact: true };
    if (word === 'Any') return { required: [], forbidden: [], isExact: false };
    const modifier = MODIFIERS.get(word.replace('~', ''));
    if (modifier === undefined) throw new UnreadableLine(`no modifier is named ${word.replace('~', '')}`);
    (word.startsWith('~') ? forbidden : required).push(modifier);
  }
  return { required, forbidden, isExact };
}

function parseEvent(
  name: string,
  detail: string,
  keysymNamed: (name: string) => number | undefined,
): Pick<Binding, 'event' | 'detail'> {
  const button = /^Btn([1-5])(Down|Up|Motion)$/.exec(name);
  if (button !== null) {
    const [, number, kind] = button;
    if (kind === 'Motion') throw new UnreadableLine(`motion with one button is written Button${number} <BtnMotion>`);
    return { event: kind === 'Down' ? 'ButtonPress' : 'ButtonRelease', detail: Number(number) };
  }
  const event = EVENTS.get(name);
  if (event === undefined) throw new UnreadableLine(`no event is named <${name}>`);
  if (detail === '') return { event, detail: undefined };
  if (event === 'KeyPress' || event === 'KeyRelease') {
    const keysym = /^0x[0-9a-f]+$/i.test(detail) ? Number(detail) : keysymNamed(detail);
    if (keysym === undefined) throw new UnreadableLine(`no key is named ${detail}`);
    return { event, detail: keysym };
  }
  const number = /^(?:Button)?([1-5])$/.exec(detail)?.[1];
  if (number === undefined) throw new UnreadableLine(`no button is named ${detail}`);
  return { event, detail: Number(number) };
}

/** `scroll-back(1,halfpage) bell()`; a parameter may stand in double quotes. */
function parseCalls(text: string): ActionCall[] {
  const calls = [...text.matchAll(/\s*([\w-]+)\s*\(((?:"(?:[^"\\]|\\.)*"|[^")])*)\)/gy)];
  const readTo = calls.reduce((length, [call]) => length + call.length, 0);
  if (calls.length === 0 || text.slice(readTo).trim() !== '')
    throw new UnreadableLine('expected actions as NAME(PARAMETERS)');
  return calls.map(([, action = '', parameters = '']) => ({ action, parameters: parseParameters(parameters) }));
}

function parseParameters(text: string): string[] {
  if (text.trim() === '') return [];
  return [...text.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|([^,]*))\s*(?:,|$)/gy)]
    .slice(0, parameterCount(text))
    .map(([, quoted, bare = '']) => (quoted === undefined ? bare.trim() : quoted.replace(/\\(.)/g, '$1')));
}

/** Commas outside quotes separate; there is one parameter more. */
function parameterCount(text: string): number {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(',').length;
}
