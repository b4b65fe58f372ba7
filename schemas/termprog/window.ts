import { value, type XResourceRow } from './resource-table.ts';

/** Size and place of the text. @spec termprog#terminal-widget-resources-termvt100 */
export const windowResources = [
  {
    scope: 'vt100',
    name: 'internalBorder',
    class: 'BorderWidth',
    type: 'dimension',
    default: '2',
    options: [value('number', 'b')],
    doc: 'Padding between the text and the edge of the window in pixels.',
  },
  {
    scope: 'vt100',
    name: 'columns',
    class: 'Columns',
    type: 'integer',
    default: '80',
    range: { min: 1 },
    doc: 'Columns at the start when no geometry is given.',
  },
  {
    scope: 'vt100',
    name: 'rows',
    class: 'Rows',
    type: 'integer',
    default: '24',
    range: { min: 1 },
    doc: 'Rows at the start when no geometry is given.',
  },
  {
    scope: 'vt100',
    lookup: ['vt100', 'app'],
    name: 'geometry',
    class: 'Geometry',
    type: 'geometry',
    default: undefined,
    options: [value('geom', 'geometry')],
    doc: 'Size and place as `WIDTHxHEIGHT+X+Y`. The size, in cells, replaces `columns` and `rows`, and a size of zero becomes one; negative offsets count from the right and the bottom. When it is unset, the geometry of the application is read the same way.',
  },
] as const satisfies readonly XResourceRow[];
