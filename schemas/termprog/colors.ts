import { family, resource, resources, toggle, value } from './resource-table.ts';
import { boolean, color, numberOr } from './resource-types.ts';

/** The palette of the reference terminal, colours 0 to 15. @spec termprog#terminal-widget-resources-termvt100 */
export const REFERENCE_PALETTE = [
  'black',
  'red3',
  'green3',
  'yellow3',
  'blue2',
  'magenta3',
  'cyan3',
  'gray90',
  'gray50',
  'red',
  'green',
  'yellow',
  'rgb:5c/5c/ff',
  'magenta',
  'cyan',
  'white',
] as const;

/** Colours of the `vt100` widget. @spec termprog#terminal-widget-resources-termvt100 */
export const colorResources = [
  ...resources('vt100', {
    foreground: resource(color, {
      class: 'Foreground',
      default: 'XtDefaultForeground',
      options: [value('color', 'fg', 'foreground')],
      live: true,
      doc: 'Default colour of text.',
    }),
  }),
  ...family('color', [0, 15], (index) =>
    resource(color, {
      class: `Color${index}`,
      default: REFERENCE_PALETTE[index] ?? 'black',
      live: true,
      doc: `Palette entry ${index}, one of the ${index < 8 ? 'normal' : 'bright'} ANSI colours. OSC 4 changes it at run time and OSC 104 restores the configured value.`,
    }),
  ),
  ...resources('vt100', {
    boldColors: resource(boolean, {
      class: 'ColorMode',
      default: 'true',
      options: [toggle('pc')],
      live: true,
      doc: 'Whether bold text in colours 0 to 7 is drawn in the bright colours 8 to 15. When false, bold changes the weight only.',
    }),
    backgroundOpacity: resource(numberOr('disabled', { min: 0, max: 1 }), {
      class: 'BackgroundOpacity',
      default: '1.0',
      options: [value('value', 'opacity')],
      live: true,
      doc: 'Opacity of the default background, from 0.0 (transparent) to 1.0. It needs a compositor and a visual with an alpha channel, else the window starts opaque; `disabled` asks for neither. Text, explicit cell backgrounds, the cursor and menus stay opaque. The Opacity slider changes it at run time.',
    }),
    reverseVideo: resource(boolean, {
      class: 'ReverseVideo',
      default: 'false',
      options: [toggle('rv', 'r'), { kind: 'toggle', names: ['reverse'], minus: 'true' }],
      live: true,
      doc: 'Swaps the default foreground and background. Screen reverse mode and the reverse attribute of cells work independently of it.',
    }),
  }),
] as const;
