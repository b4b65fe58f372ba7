import type { RequirementId } from './termprog.ts';

/** A change of the terminal's source that breaks rows of its page. */
export interface TermprogMutation {
  breaks: readonly [RequirementId, ...RequirementId[]];
  file: string;
  /** Text that stands once in the file. */
  from: string;
  to: string;
}

/**
 * Mutations for rows other than a resource, an option, an action, a translation or an entry of a menu: each must make
 * one of their tests fail.
 */
export const termprogMutations: readonly TermprogMutation[] = [
  {
    // Without its line, the one for all buttons would do the same.
    breaks: ['termprog.translation.without-Ctrl-Meta-Btn2Down'],
    file: 'src/termprog/translations/default-translations.ts',
    from: '<Btn2Down>: mouse-press()',
    to: '<Btn2Down>: scroll-back()',
  },
  {
    breaks: ['termprog.state.starting-the-window-is-mapped-and-the-child-runs'],
    file: 'src/termprog/window/open-terminal.ts',
    from: 'client.MapWindow(window)',
    to: 'client.UnmapWindow(window)',
  },
  {
    breaks: ['termprog.state.starting-bad-option-no-display-no-usable-font-or-the-child-cannot-be-started'],
    file: 'src/termprog/main.ts',
    from: 'complain(describeFailure(error));\n    return 1;',
    to: 'complain(describeFailure(error));\n    return 0;',
  },
  {
    breaks: [
      'termprog.state.running-the-child-exits-hold-is-false',
      'termprog.state.running-the-child-exits-hold-is-true',
    ],
    file: 'src/termprog/window/session/child-session.ts',
    from: "!this.#parts.options.get('hold')",
    to: "this.#parts.options.get('hold')",
  },
  {
    breaks: [
      'termprog.state.running-the-user-closes-the-window-or-Quit',
      'termprog.state.held-the-user-closes-the-window',
    ],
    file: 'src/termprog/window/desktop/protocols.ts',
    from: 'data[0] === atoms.wmDeleteWindow',
    to: 'data[0] === -1',
  },
  {
    breaks: ['termprog.state.running-or-held-the-X-server-goes-away'],
    file: 'src/termprog/x11/x-connection.ts',
    from: 'this.#listener?.onEnd(this.#lost);',
    to: '',
  },
  {
    breaks: ['termprog.limit.termName-length-for-TN-reply'],
    file: 'src/termprog/engine/terminal-capabilities.ts',
    from: 'NAME_MAX_BYTES = 128',
    to: 'NAME_MAX_BYTES = 129',
  },
  {
    breaks: ['termprog.limit.fallbackFace-slots'],
    file: 'src/termprog/xresource/font-routing.ts',
    from: 'FALLBACK_FACES = 16',
    to: 'FALLBACK_FACES = 15',
  },
];

/** Rows that say what a resource is by default -> a default that breaks them. */
export const otherDefaults: Readonly<Partial<Record<RequirementId, Readonly<Record<string, string>>>>> = {
  'termprog.limit.saveLines': { saveLines: '1023' },
  'termprog.limit.maxStringParse': { maxStringParse: '599996' },
  'termprog.limit.cursor-blink': { cursorOffTime: '900' },
  'termprog.limit.initial-size': { columns: '81' },
  'termprog.limit.multiClickTime': { multiClickTime: '100' },
  'termprog.limit.limitFontsets': { limitFontsets: '49' },
  'termprog.limit.limitFontWidth': { limitFontWidth: '9' },
  'termprog.limit.limitFontHeight': { limitFontHeight: '11' },
};

/** A colour outside of the palette. */
const OTHER_COLOR = '#123456';

/** Returns a row of the palette with another colour. */
export function otherPalette(id: string): Readonly<Record<string, string>> | undefined {
  const [, name] = /^termprog\.palette\.(color\d+)$/.exec(id) ?? [];
  return name === undefined ? undefined : { [name]: OTHER_COLOR };
}
