/** An action as a person binds it. @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget */
export interface ActionText {
  name: string;
  /** Text between its parentheses; empty if the action takes no parameters. */
  parameters: string;
  doc: string;
}

const STATES = '[on|off|toggle]';
const STATE_RULES =
  'No parameter means toggle; case does not matter. Asking for the state in effect, and any other parameter, rings the bell and has no effect.';

/** The actions, with their text in the manual. */
export const termprogActions = [
  {
    name: 'select-start',
    parameters: '[block]',
    doc: 'Begins a selection at the pointer. Repeated clicks within `multiClickTime` select by word, then by line; `block`, or Meta held, makes it rectangular.',
  },
  {
    name: 'select-extend',
    parameters: '',
    doc: 'Extends the selection to the pointer, and scrolls the history when the pointer leaves the window.',
  },
  {
    name: 'select-end',
    parameters: '[name ...]',
    doc: 'Finishes the selection and publishes it to the named selections and cut buffers, such as `SELECT` and `CUT_BUFFER0`.',
  },
  {
    name: 'start-extend',
    parameters: '',
    doc: 'Moves the nearer end of the selection to the pointer and keeps extending.',
  },
  {
    name: 'insert-selection',
    parameters: '[name ...]',
    doc: 'Pastes the first of the named selections and cut buffers that has text.',
  },
  { name: 'set-select', parameters: STATES, doc: 'Sets `selectToClipboard`.' },
  {
    name: 'scroll-back',
    parameters: 'count [,unit] [,m]',
    doc: 'Scrolls back by count units: `line`, `halfpage` or `page`. With `m` at the end the event is offered first to an application that has mouse reporting on.',
  },
  { name: 'scroll-forw', parameters: 'count [,unit] [,m]', doc: 'Scrolls forward, with the same parameters.' },
  {
    name: 'previous-prompt',
    parameters: '[count]',
    doc: 'Scrolls up to the start of a previous shell prompt that is marked by OSC 133; count is 1 unless it is given.',
  },
  { name: 'next-prompt', parameters: '[count]', doc: 'Scrolls down to a next prompt in the same way.' },
  {
    name: 'insert-seven-bit',
    parameters: '',
    doc: 'Sends the key to the application instead of a local action.',
  },
  { name: 'insert-eight-bit', parameters: '', doc: 'The same: the modes of the keyboard decide on the bytes.' },
  {
    name: 'pipe-command-output',
    parameters: '',
    doc: 'Gives the output of the last completed command, as OSC 133 marks it, to the shell command in `pipeCommandOutput`, which runs in the directory that OSC 7 reported last.',
  },
  {
    name: 'start-search',
    parameters: '',
    doc: 'Opens the search: what is typed is looked for in screen and history. Up and Down, or Shift with F3 and F3, go from match to match. Return copies the match to PRIMARY and closes the search; Escape closes it.',
  },
  { name: 'larger-vt-font', parameters: '', doc: 'Switches to the next larger entry of the VT Fonts menu.' },
  { name: 'smaller-vt-font', parameters: '', doc: 'Switches to the next smaller entry of the VT Fonts menu.' },
  {
    name: 'set-vt-font',
    parameters: 'entry',
    doc: 'Switches to an entry of the VT Fonts menu: `d` is Default, and `1` to `7` are those behind it.',
  },
  {
    name: 'set-render-font',
    parameters: STATES,
    doc: 'Switches between outline fonts and bitmap fonts.',
  },
  { name: 'allow-title-ops', parameters: STATES, doc: `Changes Allow Title Ops. ${STATE_RULES}` },
  { name: 'set-utf8-title', parameters: STATES, doc: `Changes \`utf8Title\`, in every locale. ${STATE_RULES}` },
  {
    name: 'allow-color-ops',
    parameters: STATES,
    doc: `Changes Allow Color Ops. ${STATE_RULES} While \`allowSendEvents\` is true the change is remembered, and the permission stays blocked.`,
  },
  { name: 'set-font-linedrawing', parameters: STATES, doc: 'Changes `forceBoxChars`.' },
  { name: 'popup-menu', parameters: 'name', doc: 'Opens `mainMenu`, `vtMenu` or `fontMenu`.' },
  {
    name: 'mouse-press',
    parameters: '',
    doc: 'Reports the press of a button to an application that has mouse reporting on; otherwise it has no effect.',
  },
  {
    name: 'mouse-motion',
    parameters: '',
    doc: 'Reports the motion of the pointer to such an application.',
  },
  {
    name: 'hyperlink-start',
    parameters: '',
    doc: 'Over a hyperlink of OSC 8, or over a visible URL of HTTP, the release of the button opens it with the opener of the desktop; elsewhere it is `select-start`.',
  },
  {
    name: 'report-font-routing',
    parameters: '',
    doc: 'Writes to standard error which faces drew what; it needs `reportFontRouting`.',
  },
] as const satisfies readonly ActionText[];
