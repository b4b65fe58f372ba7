import { resource, resources, toggle, value } from './resource-table.ts';
import { boolean, choice, color, integer } from './resource-types.ts';

/** Bounds of a phase in milliseconds: the longest is the longest that a timer takes. */
const BLINK_TIMES = { min: 1, max: 2_147_483_647 };

/** Resources of the cursor. @spec termprog#terminal-widget-resources-termvt100 */
export const cursorResources = [
  ...resources('vt100', {
    cursorColor: resource(color, {
      class: 'CursorColor',
      default: 'XtDefaultForeground',
      options: [value('color', 'cr')],
      live: true,
      doc: 'Colour of the cursor. A block cursor is filled in the window with the focus and an outline in others.',
    }),
    alwaysHighlight: resource(boolean, {
      class: 'AlwaysHighlight',
      default: 'false',
      options: [toggle('ah')],
      live: true,
      doc: 'Whether the block cursor is filled also without the focus.',
    }),
    cursorBlink: resource(choice('false', 'true', 'always', 'never'), {
      class: 'CursorBlink',
      default: 'false',
      options: [toggle('bc')],
      doc: "Whether the cursor blinks. `false` and `true` combine with the application's request under `cursorBlinkXOR`; `always` and `never` ignore the application. A reset restores it.",
    }),
    cursorBlinkXOR: resource(boolean, {
      class: 'CursorBlinkXOR',
      default: 'true',
      doc: "How `cursorBlink` and the application's request combine: by exclusive or when true, by inclusive or when false.",
    }),
    cursorUnderLine: resource(boolean, {
      class: 'CursorUnderLine',
      default: 'false',
      options: [toggle('uc')],
      doc: 'Starts with an underline as cursor and wins over `cursorBar`. DECSCUSR 0, DECSCUSR without a parameter and a full reset return to it.',
    }),
    cursorBar: resource(boolean, {
      class: 'CursorBar',
      default: 'false',
      options: [toggle('barc')],
      doc: 'Starts with a vertical bar as cursor, unless `cursorUnderLine` is true.',
    }),
    cursorOnTime: resource(integer(BLINK_TIMES), {
      class: 'CursorOnTime',
      default: '600',
      options: [value('milliseconds', 'bcn')],
      doc: 'How many milliseconds a blinking cursor is visible.',
    }),
    cursorOffTime: resource(integer(BLINK_TIMES), {
      class: 'CursorOffTime',
      default: '300',
      options: [value('milliseconds', 'bcf')],
      doc: 'How many milliseconds a blinking cursor is hidden.',
    }),
  }),
] as const;
