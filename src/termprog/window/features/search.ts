import type { WireEvent } from 'x11';
import { keyModifiers } from '../../input/key-modifiers.ts';
import { characterOf } from '../../input/keysyms.ts';
import type { SearchPort } from '../../ports/shown-text.ts';
import type { Composition } from '../../ports/text-input.ts';
import { firstLineOf } from '../../search/query-text.ts';
import { searchCommand } from '../../search/search-keys.ts';
import { SearchOverlay } from '../../search/search-overlay.ts';
import { type SearchParts, SearchSession } from '../../search/search-session.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import type { FeatureParts } from './feature-parts.ts';

export interface SearchFeature {
  port: SearchPort;
  filter: InputFilter;
  stop(): void;
}

export type SearchFeatureParts = Pick<
  FeatureParts,
  | 'engine'
  | 'viewport'
  | 'grid'
  | 'lines'
  | 'options'
  | 'selections'
  | 'focus'
  | 'bell'
  | 'textInput'
  | 'keymap'
  | 'redraw'
  | 'nowMs'
>;

const PASTE_BUTTON = 2;
const FIRST_WHEEL_BUTTON = 4;

/**
 * The search: while it is open it receives all keys, pasted text, and the buttons on its bar.
 * @param composition the input method's text under composition; while the search is open it belongs to the search
 */
export function createSearch(parts: SearchFeatureParts, composition: () => Composition | undefined): SearchFeature {
  const { engine, viewport, lines, bell, textInput, redraw, nowMs } = parts;
  let session: SearchSession | undefined;
  const tools: SearchParts = {
    screen: engine,
    view: viewport,
    copy: (text) => parts.selections.write(['PRIMARY'], Buffer.from(text)),
    paste: (take) => readSelection(parts, take),
    ring: () => bell.ring(),
    redraw,
    nowMs,
  };
  const overlay = new SearchOverlay({ session: () => session, columns: () => engine.columns, composition });
  lines.add(overlay);
  const open = (): void => {
    if (session !== undefined) return;
    const opened = new SearchSession(tools, () => {
      session = undefined;
      release();
    });
    session = opened;
    const release = textInput.take({
      takeText: (text) => opened.type(text),
      place: () => overlay.typingPlace(opened),
    });
    redraw();
  };
  return { port: { open }, filter: createFilter(parts, () => session), stop: () => session?.close() };
}

/** Takes the keys and buttons of the search. After a press was taken, its repeats and its release are taken too. */
function createFilter(
  parts: Pick<FeatureParts, 'focus' | 'grid' | 'keymap'>,
  session: () => SearchSession | undefined,
): InputFilter {
  const keys = new Set<number>();
  const buttons = new Set<number>();
  // Another window gets their releases.
  parts.focus.watch(() => keys.clear());
  const take = (held: Set<number>, code: number, isTaken: boolean): boolean => {
    if (isTaken) held.add(code);
    else held.delete(code);
    return isTaken;
  };
  const handlers: Readonly<Record<string, (event: WireEvent) => boolean>> = {
    KeyPress: (event) => {
      const open = session();
      if (open !== undefined) press(open, parts, event);
      // The key that closed the search may repeat: Return would run the command at the prompt.
      return take(keys, event.keycode, open !== undefined || keys.has(event.keycode));
    },
    KeyRelease: ({ keycode }) => keys.delete(keycode) || session() !== undefined,
    ButtonPress: (event) => {
      const open = session();
      const button = event.keycode;
      if (button === PASTE_BUTTON) open?.obey('paste');
      const isOnBar = parts.grid.cellAt(event).row === open?.barRow && button < FIRST_WHEEL_BUTTON;
      return take(buttons, button, open !== undefined && (isOnBar || button === PASTE_BUTTON));
    },
    ButtonRelease: ({ keycode }) => buttons.delete(keycode),
  };
  return {
    name: 'the search',
    events: ['KeyPress', 'KeyRelease', 'ButtonPress', 'ButtonRelease'],
    get isIdle() {
      return session() === undefined && keys.size === 0 && buttons.size === 0;
    },
    filter: (event) => handlers[event.name ?? '']?.(event) ?? false,
  };
}

function press(
  open: SearchSession,
  { keymap }: Pick<FeatureParts, 'keymap'>,
  { keycode, buttons: state }: WireEvent,
): void {
  const keys = keymap();
  const keysym = keys.keysym(keycode, state);
  const character = characterOf(keysym);
  const held = keyModifiers(keys.modifiers, state);
  const { shift, control } = held;
  const other = held.alt || held.meta || held.super || held.hyper;
  const command = searchCommand(keysym, character, { shift, control, other });
  if (command !== undefined) open.obey(command);
  else if (character !== undefined) open.type(character);
}

/** Reads what `insert-selection(SELECT, CUT_BUFFER0)` would paste. */
function readSelection(
  { selections, options }: Pick<FeatureParts, 'selections' | 'options'>,
  take: (text: string) => void,
): void {
  const selection = options.get('selectToClipboard') ? 'CLIPBOARD' : 'PRIMARY';
  selections.read([selection, 0], (bytes) => {
    if (bytes !== undefined) take(firstLineOf(bytes));
  });
}
