import { resource, resources, value } from './resource-table.ts';
import { boolean, dimension, geometry, integer } from './resource-types.ts';

/** Size and place of the text. @spec termprog#terminal-widget-resources-termvt100 */
export const windowResources = [
  ...resources('vt100', {
    internalBorder: resource(dimension, {
      class: 'BorderWidth',
      default: '2',
      options: [value('number', 'b')],
      doc: 'Padding between the text and the edge of the window in pixels.',
    }),
    columns: resource(integer({ min: 1 }), {
      class: 'Columns',
      default: '80',
      doc: 'Columns at the start when no geometry is given.',
    }),
    rows: resource(integer({ min: 1 }), {
      class: 'Rows',
      default: '24',
      doc: 'Rows at the start when no geometry is given.',
    }),
    geometry: resource(geometry, {
      lookup: ['vt100', 'app'],
      class: 'Geometry',
      default: undefined,
      options: [value('geom', 'geometry')],
      doc: 'Size and place as `WIDTHxHEIGHT+X+Y`. The size, in cells, replaces `columns` and `rows`, and a size of zero becomes one; negative offsets count from the right and the bottom. When it is unset, the geometry of the application is read the same way.',
    }),
    resizeByPixel: resource(boolean, {
      class: 'ResizeByPixel',
      default: 'false',
      doc: 'Asks window managers to size the window by pixels instead of whole characters. The window has as many columns and rows as fit, and the rest beside and below them is painted in the background.',
    }),
  }),
] as const;
