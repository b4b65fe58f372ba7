import { resource, resources, toggle, value } from './resource-table.ts';
import { boolean, choice, color, dimension, geometry, integer, text } from './resource-types.ts';

/** The program itself. @spec termprog#application-resources-term-or-term */
export const programResources = [
  ...resources('app', {
    menuLocale: resource(text, {
      class: 'MenuLocale',
      default: 'C',
      doc: 'Locale under which the popup menus are created, such as `de_DE.UTF-8`: their labels come from the class defaults of its language, in its character set.',
    }),
    logLevel: resource(choice('debug', 'info', 'warning', 'error'), {
      class: 'LogLevel',
      default: 'warning',
      options: [
        value('level', 'log'),
        {
          kind: 'toggle',
          names: ['debug'],
          minus: 'debug',
          plus: 'warning',
          doc: '`-debug` writes messages of every severity, `+debug` warnings and errors alone.',
        },
      ],
      doc: 'Least severe messages that are written to standard error. `info` adds how the start went: sources of resources, server, window, fonts and process; `debug` also each resource that is set, with its source. What is typed and shown is never written.',
    }),
    debug: resource(boolean, {
      class: 'Debug',
      default: 'false',
      doc: 'Another way to say `logLevel: debug`. It counts when `logLevel` is unset.',
    }),
    reportConfig: resource(boolean, {
      class: 'ReportConfig',
      default: 'false',
      options: [{ kind: 'toggle', names: ['report-config'], minus: 'true' }],
      doc: 'Prints the resolved configuration and ends the program; no window is opened.',
    }),
  }),
] as const;

/** Resources of the toolkit that every X program has. @spec termprog#toolkit-resources */
export const toolkitResources = [
  ...resources('vt100', {
    translations: resource(text, {
      class: 'Translations',
      default: undefined,
      doc: 'Key and button bindings of the terminal widget, one a line as `MODIFIERS <EVENT> DETAIL: ACTION()`, in the language of the X Toolkit: `Ctrl <Key>F1: scroll-back(1,page)`, or `<Key>F1:` for a key without an action. A first line `#override` puts them before the built-in ones and `#augment` behind them; otherwise they replace them.',
    }),
  }),
  ...resources('app', {
    background: resource(color, {
      lookup: ['vt100', 'app'],
      class: 'Background',
      default: 'XtDefaultBackground',
      options: [value('color', 'bg', 'background')],
      live: true,
      doc: 'Default background, and the trough of the scrollbar.',
    }),
    title: resource(text, {
      class: 'Title',
      default: undefined,
      options: [value('string', 'title', 'T')],
      doc: "Title of the window, the program's name when unset. Applications change it by OSC 0 and OSC 2.",
    }),
    iconName: resource(text, {
      class: 'IconName',
      default: undefined,
      options: [value('string', 'n')],
      doc: "Name of the icon, the program's name when unset.",
    }),
    iconGeometry: resource(geometry, {
      class: 'IconGeometry',
      default: undefined,
      options: [{ kind: 'sticky', prefix: '#', metavar: 'geometry' }],
      doc: 'Preferred place of the icon.',
    }),
    iconic: resource(boolean, {
      class: 'Iconic',
      default: 'false',
      options: [{ kind: 'toggle', names: ['iconic'], minus: 'true' }],
      doc: 'Starts the window iconified.',
    }),
    borderColor: resource(color, {
      class: 'BorderColor',
      default: 'XtDefaultForeground',
      options: [value('color', 'bd', 'bordercolor')],
      live: true,
      doc: 'Colour of the border of the window.',
    }),
    borderWidth: resource(dimension, {
      class: 'BorderWidth',
      default: '0',
      options: [value('number', 'bw', 'borderwidth', 'w')],
      doc: 'Width of the border of the window in pixels.',
    }),
    selectionTimeout: resource(integer({ min: 1 }), {
      class: 'SelectionTimeout',
      default: '5000',
      options: [value('milliseconds', 'selectionTimeout')],
      doc: 'How many milliseconds the owner of a selection has for an answer when its text is asked for.',
    }),
    synchronous: resource(boolean, {
      class: 'Synchronous',
      default: 'false',
      options: [toggle('synchronous')],
      doc: 'Sends each request to the X server alone, and waits until the server has handled it. It finds the request that an error of the server belongs to, and is slow.',
    }),
    xnlLanguage: resource(text, {
      class: 'XnlLanguage',
      default: undefined,
      options: [value('string', 'xnllanguage')],
      doc: 'Name of a locale, such as `de_DE.UTF-8`, in place of the one that LC_ALL, LC_CTYPE or LANG gives: files of class defaults are looked for in its language, and `utf8Title` follows its encoding.',
    }),
  }),
] as const;
