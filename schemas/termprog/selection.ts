import { resource, resources, value } from './resource-table.ts';
import { boolean, color, integer, text } from './resource-types.ts';

/** Selecting and copying. @spec termprog#terminal-widget-resources-termvt100 */
export const selectionResources = [
  ...resources('vt100', {
    multiClickTime: resource(integer({ min: 0 }), {
      class: 'MultiClickTime',
      default: '250',
      options: [value('milliseconds', 'mc')],
      doc: 'How many milliseconds may lie between the clicks of a multiple click.',
    }),
    charClass: resource(text, {
      class: 'CharClass',
      default: undefined,
      options: [value('classrange', 'cc')],
      doc: 'Classes of characters for selection by word, written `low[-high]:class` and separated by commas. Letters, digits and underscore share class 48 by default; each punctuation character is a class of its own.',
    }),
    selectToClipboard: resource(boolean, {
      class: 'SelectToClipboard',
      default: 'false',
      live: true,
      doc: 'Whether the symbolic name SELECT means CLIPBOARD, and not PRIMARY, for copy and paste.',
    }),
    copyFlashDuration: resource(integer({ min: 0 }), {
      class: 'CopyFlashDuration',
      default: '0',
      doc: 'How many milliseconds text flashes after it was copied; 0 turns the flash off. A new, lost or replaced selection and what an application writes by OSC 52 never flash.',
    }),
    copyFlashColor: resource(color, {
      class: 'CopyFlashColor',
      default: '',
      doc: 'Background of copied cells during the flash. Empty shows them in their unselected colours.',
    }),
  }),
] as const;
