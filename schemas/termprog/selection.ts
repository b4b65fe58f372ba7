import { value, type XResourceRow } from './resource-table.ts';

/** Selecting and copying. @spec termprog#terminal-widget-resources-termvt100 */
export const selectionResources = [
  {
    scope: 'vt100',
    name: 'multiClickTime',
    class: 'MultiClickTime',
    type: 'integer',
    default: '250',
    range: { min: 0 },
    options: [value('milliseconds', 'mc')],
    doc: 'How many milliseconds may lie between the clicks of a multiple click.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'charClass',
    class: 'CharClass',
    type: 'string',
    default: undefined,
    options: [value('classrange', 'cc')],
    doc: 'Classes of characters for selection by word, written `low[-high]:class` and separated by commas. Letters, digits and underscore share class 48 by default; each punctuation character is a class of its own.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'selectToClipboard',
    class: 'SelectToClipboard',
    type: 'boolean',
    default: 'false',
    doc: 'Whether the symbolic name SELECT means CLIPBOARD, and not PRIMARY, for copy and paste.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'copyFlashDuration',
    class: 'CopyFlashDuration',
    type: 'integer',
    default: '0',
    range: { min: 0 },
    doc: 'How many milliseconds text flashes after it was copied; 0 turns the flash off. A new, lost or replaced selection and what an application writes by OSC 52 never flash.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'copyFlashColor',
    class: 'CopyFlashColor',
    type: 'color',
    default: '',
    doc: 'Background of copied cells during the flash. Empty shows them in their unselected colours.',
    pending: true,
  },
] as const satisfies readonly XResourceRow[];
