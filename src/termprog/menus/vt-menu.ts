import { type Menu, toggleMode, toggleOption, unavailable } from './menu-entry.ts';

/** @spec termprog#popup-menus */
export const vtMenu: Menu = {
  name: 'vtMenu',
  title: 'VT Options',
  groups: [
    [
      toggleOption('scrollbar', 'Enable Scrollbar', 'scrollBar'),
      unavailable('jumpscroll', 'Enable Jump Scroll'),
      toggleOption('reversevideo', 'Enable Reverse Video', 'reverseVideo'),
      toggleMode('autowrap', 'Enable Auto Wraparound', 'autoWraparound'),
      toggleMode('reversewrap', 'Enable Reverse Wraparound', 'reverseWraparound'),
      toggleMode('autolinefeed', 'Enable Auto Linefeed', 'autoLinefeed'),
      toggleMode('appcursor', 'Enable Application Cursor Keys', 'applicationCursorKeys'),
      toggleMode('appkeypad', 'Enable Application Keypad', 'applicationKeypad'),
      toggleOption('scrollkey', 'Scroll to Bottom on Key Press', 'scrollKey'),
      toggleOption('scrollttyoutput', 'Scroll to Bottom on Tty Output', 'scrollTtyOutput'),
      unavailable('allow132', 'Allow 80/132 Column Switching'),
      unavailable('keepSelection', 'Keep Selection'),
      unavailable('keepClipboard', 'Keep Clipboard'),
      toggleOption('selectToClipboard', 'Select to Clipboard', 'selectToClipboard'),
      unavailable('visualbell', 'Enable Visual Bell'),
      unavailable('bellIsUrgent', 'Enable Bell Urgency'),
      unavailable('poponbell', 'Enable Pop on Bell'),
      unavailable('cursorblink', 'Enable Blinking Cursor'),
      unavailable('titeInhibit', 'Enable Alternate Screen Switching'),
      unavailable('activeicon', 'Enable Active Icon'),
    ],
    [
      unavailable('softreset', 'Do Soft Reset'),
      unavailable('hardreset', 'Do Full Reset'),
      unavailable('clearsavedlines', 'Reset and Clear Saved Lines'),
    ],
    [
      unavailable('tekshow', 'Show Tek Window'),
      unavailable('tekmode', 'Switch to Tek Mode'),
      unavailable('vthide', 'Hide VT Window'),
      unavailable('altscreen', 'Show Alternate Screen'),
      unavailable('xcopyarea', 'Enable XCopyArea'),
      unavailable('sixelScrolling', 'Sixel Scrolling'),
      unavailable('privateColorRegisters', 'Private Color Registers'),
    ],
  ],
};
