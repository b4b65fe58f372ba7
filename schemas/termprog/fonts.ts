import { family, resource, resources, value } from './resource-table.ts';
import { choice, font, fontList } from './resource-types.ts';

/** Bitmap fonts of the VT Fonts entries 1 to 7, and the entry's name. @spec termprog#terminal-widget-resources-termvt100 */
const BITMAP_SLOTS = [
  ['nil2', 'Unreadable'],
  ['5x7', 'Tiny'],
  ['6x10', 'Small'],
  ['7x13', 'Medium'],
  ['9x15', 'Large'],
  ['10x20', 'Huge'],
  ['12x24', 'Enormous'],
] as const;

/** The entries of the VT Fonts menu that fonts stand behind, in its order. @spec termprog#popup-menus */
export const FONT_ENTRIES: readonly string[] = ['Default', ...BITMAP_SLOTS.map(([, entry]) => entry)];

/** Bitmap fonts of the `vt100` widget. @spec termprog#terminal-widget-resources-termvt100 */
export const fontResources = [
  ...resources('vt100', {
    font: resource(font, {
      class: 'Font',
      default: 'fixed',
      options: [value('fontname', 'fn', 'font')],
      doc: 'Bitmap font of the Default entry of the VT Fonts menu. It is used when `renderFont` is false.',
    }),
  }),
  ...family('font', [1, 7], (slot) => {
    const [name, entry] = BITMAP_SLOTS[slot - 1] ?? ['', ''];
    return resource(font, {
      class: `Font${slot}`,
      default: name,
      doc: `Bitmap font of the ${entry} entry of the VT Fonts menu. Shift with keypad plus and minus steps through the entries by size.`,
    });
  }),
  ...resources('vt100', {
    renderFont: resource(choice('true', 'false', 'default'), {
      class: 'RenderFont',
      default: 'default',
      doc: 'Which renderer draws text: `true` the outline fonts, `false` the bitmap fonts, `default` the outline fonts when `faceName` is set. The TrueType Fonts menu entry switches it.',
      live: true,
    }),
    boldFont: resource(fontList, {
      class: 'BoldFont',
      default: undefined,
      options: [value('fontname', 'fb')],
      doc: 'Explicit chain of bold fonts; an entry that starts with `xft:` names an outline pattern. Without it bold is derived from the primary font.',
    }),
    wideBoldFont: resource(fontList, {
      class: 'WideBoldFont',
      default: undefined,
      options: [value('fontname', 'fwb')],
      doc: 'The same as `boldFont`, for wide text.',
    }),
  }),
] as const;
