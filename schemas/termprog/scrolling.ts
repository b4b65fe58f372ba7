import { flag, resource, resources, toggle, value } from './resource-table.ts';
import { boolean, dimension, integer } from './resource-types.ts';

/** Scrollback and scrollbar. @spec termprog#terminal-widget-resources-termvt100 */
export const scrollingResources = [
  ...resources('vt100', {
    saveLines: resource(integer({ min: 0 }), {
      class: 'SaveLines',
      default: '1024',
      options: [value('number', 'sl')],
      doc: 'How many lines that left the top of the screen are kept. 0 turns the history off.',
    }),
    scrollBar: resource(boolean, {
      class: 'ScrollBar',
      default: 'false',
      options: [toggle('sb')],
      live: true,
      doc: 'Shows the scrollbar, a child widget named `scrollbar` that has resources of its own.',
    }),
    rightScrollBar: resource(boolean, {
      class: 'RightScrollBar',
      default: 'false',
      options: [
        flag('rightbar', 'true', 'Puts the scrollbar on the right side.'),
        flag('leftbar', 'false', 'Puts the scrollbar on the left side.'),
      ],
      doc: 'Puts the scrollbar on the right side.',
    }),
    scrollBarBorder: resource(dimension, {
      class: 'ScrollBarBorder',
      default: '1',
      doc: 'Width of the border of the scrollbar in pixels.',
    }),
    scrollTtyOutput: resource(boolean, {
      class: 'ScrollCond',
      default: 'true',
      options: [
        {
          kind: 'toggle',
          names: ['si'],
          minus: 'false',
          plus: 'true',
          doc: '`-si` leaves the view where it is when there is output, `+si` returns it to the live screen.',
        },
      ],
      live: true,
      doc: 'Returns to the live screen when there is output. When false, the view keeps its distance from the bottom. Note that `-si` clears it and `+si` sets it.',
    }),
    alternateScroll: resource(boolean, {
      class: 'AlternateScroll',
      default: 'true',
      live: true,
      doc: 'The wheel, and anything else bound to `scroll-back` and `scroll-forw`, sends cursor keys while the alternate screen shows, one a line, unless the application receives mouse reports: so it moves through text in less, man and git log. Applications change it by mode 1007. The reference terminal has the same resource, false at the start.',
    }),
    scrollKey: resource(boolean, {
      class: 'ScrollCond',
      default: 'false',
      options: [toggle('sk')],
      live: true,
      doc: 'Returns to the live screen when a key is pressed.',
    }),
  }),
] as const;
