import { command, type Menu, toggleMode, unavailable } from './menu-entry.ts';
import { opacitySlider } from './opacity-slider.ts';

/** @spec termprog#popup-menus */
export const mainMenu: Menu = {
  name: 'mainMenu',
  title: 'Main Options',
  groups: [
    [
      unavailable('toolbar', 'Toolbar'),
      unavailable('fullscreen', 'Full Screen'),
      unavailable('securekbd', 'Secure Keyboard'),
      unavailable('allowsends', 'Allow SendEvents'),
      command('redraw', 'Redraw Window', ({ repaint }) => repaint()),
    ],
    [
      unavailable('logging', 'Log to File'),
      unavailable('print-immediate', 'Print-All Immediately'),
      unavailable('print-on-error', 'Print-All on Error'),
      unavailable('print', 'Print Window'),
      unavailable('print-redir', 'Redirect to Printer'),
      unavailable('dump-html', 'XHTML Screen Dump'),
      unavailable('dump-svg', 'SVG Screen Dump'),
    ],
    [opacitySlider],
    [
      unavailable('8-bit control', '8-Bit Controls'),
      toggleMode('backarrow key', 'Backarrow Key (BS/DEL)', 'backarrowIsBackspace'),
      toggleMode('num-lock', 'Alt/NumLock Modifiers', 'altNumLockModifiers'),
      toggleMode('alt-esc', 'Alt Sends Escape', 'altSendsEscape'),
      unavailable('meta-esc', 'Meta Sends Escape'),
      unavailable('delete-is-del', 'Delete is DEL'),
      unavailable('oldFunctionKeys', 'Old Function-Keys'),
      unavailable('tcapFunctionKeys', 'Termcap Function-Keys'),
      unavailable('hpFunctionKeys', 'HP Function-Keys'),
      unavailable('scoFunctionKeys', 'SCO Function-Keys'),
      unavailable('sunFunctionKeys', 'Sun Function-Keys'),
      unavailable('sunKeyboard', 'VT220 Keyboard'),
    ],
    [
      unavailable('suspend', 'Send STOP Signal'),
      unavailable('continue', 'Send CONT Signal'),
      unavailable('interrupt', 'Send INT Signal'),
      unavailable('hangup', 'Send HUP Signal'),
      unavailable('terminate', 'Send TERM Signal'),
      unavailable('kill', 'Send KILL Signal'),
    ],
    [command('quit', 'Quit', ({ quit }) => quit())],
  ],
};
