/** Day on which the words below changed last, as mdoc(7) wants it. */
export const PAGE_DATE = 'November 28, 2026';

export const DESCRIPTION = [
  'termprog opens a window and runs a command in it: the program that `SHELL` names, unless `-e` gives another. It is configured by the same X resources as xterm, under the class `Term`.',
  'A first start in small letters is usual, because the default is the font `fixed`. `termprog -welcome` looks at screen and fonts, and prints resource lines for a readable setup; `termprog -welcome | xrdb -merge` puts them to use. `termprog -self-test` tells whether libraries, fonts and server have what the terminal needs. `termprog -report-config` prints each resource with its value and where it comes from.',
  'The terminal understands the control functions of a VT420 and those of xterm that programs of today use. Text is UTF-8 in every locale.',
];

export const SELECTIONS = [
  'Text is selected with the first button: by dragging, by two clicks for a word, by three for a line; with Meta held the selection is a rectangle. The third button extends it, the second button and Shift with Insert paste.',
  'What is selected belongs to PRIMARY and to `CUT_BUFFER0`; with `selectToClipboard` it belongs to CLIPBOARD instead of PRIMARY. In translations the name `SELECT` stands for the one that is in force. `charClass` decides what a word is.',
  'Applications that report the mouse get clicks themselves; Shift held keeps a click for the terminal.',
  'A program in the terminal may set and read selections by OSC 52 when `allowWindowOps` or `disallowedWindowOps` lets it.',
];

export const ENVIRONMENT: readonly (readonly [name: string, text: string])[] = [
  ['DISPLAY', 'The X server, unless `-display` names one. The command gets the name that is in use.'],
  ['SHELL', 'The command when `-e` gives none, if it is the absolute path of a program.'],
  ['TERM', 'Set for the command to the value of `termName`.'],
  ['COLORTERM', 'Set for the command to `truecolor`.'],
  ['TERM_PROGRAM', 'Set for the command to `termprog`.'],
  ['TERM_PROGRAM_VERSION', 'Set for the command to the version that `-version` prints.'],
  [
    'DESKTOP_STARTUP_ID , XDG_ACTIVATION_TOKEN',
    'The launch, whose end the desktop is told of when the window is there. The command gets neither, nor what describes the terminal that this one was started in.',
  ],
  ['WINDOWID', 'Set for the command to the number of the window.'],
  ['RESOURCE_NAME', 'The instance name in place of `term`, unless `-name` gives one.'],
  ['XENVIRONMENT', 'A file of resources that counts more than those of the server.'],
  ['XFILESEARCHPATH , XUSERFILESEARCHPATH , XAPPLRESDIR', 'Where files of class defaults are looked for.'],
  ['LC_ALL , LC_CTYPE , LANG', 'The locale, which decides on `utf8Title` and on the language of class defaults.'],
  ['XAUTHORITY', 'The file with the cookies of X servers, in place of that in the home folder.'],
];

export const FILES: readonly (readonly [name: string, text: string])[] = [
  ['~/.Xresources', 'Resources of the user; the session, or xrdb(1), gives them to the X server.'],
  ['/etc/X11/app-defaults/Term', 'Class defaults for all users, among them the labels of the menus.'],
  [
    'share/termprog/example.Xresources',
    'Below the prefix of the package: an example with keys for copy, paste and sizes. `termprog -welcome` prints its whole path.',
  ],
];

export const EXIT_STATUS =
  'The status is 0 after a normal end, and 1 for a bad option, without an X server, when no window can be opened, and when a check of `-self-test` has failed.';

/** Examples of commands and resource lines, each with its purpose. */
export const EXAMPLES: readonly { text: string; lines: readonly string[] }[] = [
  {
    text: 'Look for a readable setup, read it, and use it in all terminals that start from now on:',
    lines: ['termprog -welcome', 'termprog -welcome | xrdb -merge'],
  },
  {
    text: 'An outline font, more history, and keys for copy and paste, in the file of resources:',
    lines: [
      'Term*VT100.faceName: DejaVu Sans Mono',
      'Term*VT100.faceSize: 11',
      'Term*VT100.saveLines: 10000',
      'Term*VT100.translations: #override \\n\\',
      '    Ctrl Shift <KeyPress> C: select-end(CLIPBOARD) \\n\\',
      '    Ctrl Shift <KeyPress> V: insert-selection(CLIPBOARD)',
    ],
  },
];

/** Pages of manual, as macros want them. */
export const SEE_ALSO = ['xrdb 1', 'xterm 1', 'fonts-conf 5'];
