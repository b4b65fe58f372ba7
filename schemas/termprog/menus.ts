/** An entry of a popup menu. */
export interface MenuEntryText {
  /** Name of its widget, in resources such as `*mainMenu*redraw*Label`; the reference terminal's, where it has the entry. */
  name: string;
  label: string;
  /** The entry is shown insensitive; decision 43. */
  unavailable?: true;
}

/** A popup menu: groups of entries with a line between them. */
export interface MenuText {
  /** Its name in `popup-menu`, and the name of its widget. */
  name: string;
  label: string;
  /** The mouse button that opens it while Control is held. */
  button: 1 | 2 | 3;
  groups: readonly (readonly MenuEntryText[])[];
}

/** The menus as manual and class defaults describe them. @spec termprog#popup-menus */
export const termprogMenus = [
  {
    name: 'mainMenu',
    label: 'Main Options',
    button: 1,
    groups: [
      [
        { name: 'toolbar', label: 'Toolbar', unavailable: true },
        { name: 'fullscreen', label: 'Full Screen', unavailable: true },
        { name: 'securekbd', label: 'Secure Keyboard', unavailable: true },
        { name: 'allowsends', label: 'Allow SendEvents', unavailable: true },
        { name: 'redraw', label: 'Redraw Window' },
      ],
      [
        { name: 'logging', label: 'Log to File', unavailable: true },
        { name: 'print-immediate', label: 'Print-All Immediately', unavailable: true },
        { name: 'print-on-error', label: 'Print-All on Error', unavailable: true },
        { name: 'print', label: 'Print Window', unavailable: true },
        { name: 'print-redir', label: 'Redirect to Printer', unavailable: true },
        { name: 'dump-html', label: 'XHTML Screen Dump', unavailable: true },
        { name: 'dump-svg', label: 'SVG Screen Dump', unavailable: true },
      ],
      [{ name: 'opacity', label: 'Opacity' }],
      [
        { name: '8-bit control', label: '8-Bit Controls', unavailable: true },
        { name: 'backarrow key', label: 'Backarrow Key (BS/DEL)' },
        { name: 'num-lock', label: 'Alt/NumLock Modifiers' },
        { name: 'alt-esc', label: 'Alt Sends Escape' },
        { name: 'meta-esc', label: 'Meta Sends Escape', unavailable: true },
        { name: 'delete-is-del', label: 'Delete is DEL', unavailable: true },
        { name: 'oldFunctionKeys', label: 'Old Function-Keys', unavailable: true },
        { name: 'tcapFunctionKeys', label: 'Termcap Function-Keys', unavailable: true },
        { name: 'hpFunctionKeys', label: 'HP Function-Keys', unavailable: true },
        { name: 'scoFunctionKeys', label: 'SCO Function-Keys', unavailable: true },
        { name: 'sunFunctionKeys', label: 'Sun Function-Keys', unavailable: true },
        { name: 'sunKeyboard', label: 'VT220 Keyboard', unavailable: true },
      ],
      [
        { name: 'suspend', label: 'Send STOP Signal', unavailable: true },
        { name: 'continue', label: 'Send CONT Signal', unavailable: true },
        { name: 'interrupt', label: 'Send INT Signal', unavailable: true },
        { name: 'hangup', label: 'Send HUP Signal', unavailable: true },
        { name: 'terminate', label: 'Send TERM Signal', unavailable: true },
        { name: 'kill', label: 'Send KILL Signal', unavailable: true },
      ],
      [{ name: 'quit', label: 'Quit' }],
    ],
  },
  {
    name: 'vtMenu',
    label: 'VT Options',
    button: 2,
    groups: [
      [
        { name: 'scrollbar', label: 'Enable Scrollbar' },
        { name: 'jumpscroll', label: 'Enable Jump Scroll', unavailable: true },
        { name: 'reversevideo', label: 'Enable Reverse Video' },
        { name: 'autowrap', label: 'Enable Auto Wraparound' },
        { name: 'reversewrap', label: 'Enable Reverse Wraparound' },
        { name: 'autolinefeed', label: 'Enable Auto Linefeed' },
        { name: 'appcursor', label: 'Enable Application Cursor Keys' },
        { name: 'appkeypad', label: 'Enable Application Keypad' },
        { name: 'scrollkey', label: 'Scroll to Bottom on Key Press' },
        { name: 'scrollttyoutput', label: 'Scroll to Bottom on Tty Output' },
        { name: 'allow132', label: 'Allow 80/132 Column Switching', unavailable: true },
        { name: 'keepSelection', label: 'Keep Selection', unavailable: true },
        { name: 'keepClipboard', label: 'Keep Clipboard', unavailable: true },
        { name: 'selectToClipboard', label: 'Select to Clipboard' },
        { name: 'visualbell', label: 'Enable Visual Bell', unavailable: true },
        { name: 'bellIsUrgent', label: 'Enable Bell Urgency', unavailable: true },
        { name: 'poponbell', label: 'Enable Pop on Bell', unavailable: true },
        { name: 'cursorblink', label: 'Enable Blinking Cursor', unavailable: true },
        { name: 'titeInhibit', label: 'Enable Alternate Screen Switching', unavailable: true },
        { name: 'activeicon', label: 'Enable Active Icon', unavailable: true },
      ],
      [
        { name: 'softreset', label: 'Do Soft Reset', unavailable: true },
        { name: 'hardreset', label: 'Do Full Reset', unavailable: true },
        { name: 'clearsavedlines', label: 'Reset and Clear Saved Lines', unavailable: true },
      ],
      [
        { name: 'tekshow', label: 'Show Tek Window', unavailable: true },
        { name: 'tekmode', label: 'Switch to Tek Mode', unavailable: true },
        { name: 'vthide', label: 'Hide VT Window', unavailable: true },
        { name: 'altscreen', label: 'Show Alternate Screen', unavailable: true },
        { name: 'xcopyarea', label: 'Enable XCopyArea', unavailable: true },
        { name: 'sixelScrolling', label: 'Sixel Scrolling', unavailable: true },
        { name: 'privateColorRegisters', label: 'Private Color Registers', unavailable: true },
      ],
    ],
  },
  {
    name: 'fontMenu',
    label: 'VT Fonts',
    button: 3,
    groups: [
      [
        { name: 'fontdefault', label: 'Default' },
        { name: 'font1', label: 'Unreadable' },
        { name: 'font2', label: 'Tiny' },
        { name: 'font3', label: 'Small' },
        { name: 'font4', label: 'Medium' },
        { name: 'font5', label: 'Large' },
        { name: 'font6', label: 'Huge' },
        { name: 'font7', label: 'Enormous' },
        { name: 'fontescape', label: 'Escape Sequence', unavailable: true },
        { name: 'fontsel', label: 'Selection', unavailable: true },
      ],
      [
        { name: 'allow-bold-fonts', label: 'Bold Fonts', unavailable: true },
        { name: 'font-linedrawing', label: 'Procedural Glyphs' },
        { name: 'font-packed', label: 'Packed Font', unavailable: true },
        { name: 'font-doublesize', label: 'Doublesized Characters', unavailable: true },
        { name: 'font-loadable', label: 'VT220 Soft Fonts', unavailable: true },
      ],
      [
        { name: 'render-font', label: 'TrueType Fonts' },
        { name: 'utf8-mode', label: 'UTF-8 Encoding', unavailable: true },
        { name: 'utf8-fonts', label: 'UTF-8 Fonts', unavailable: true },
        { name: 'utf8-title', label: 'UTF-8 Titles' },
      ],
      [
        { name: 'allow-color-ops', label: 'Allow Color Ops' },
        { name: 'allow-mouse-ops', label: 'Allow Mouse Ops' },
        { name: 'allow-tcap-ops', label: 'Allow Termcap Ops' },
        { name: 'allow-title-ops', label: 'Allow Title Ops' },
        { name: 'allow-window-ops', label: 'Allow Window Ops' },
      ],
    ],
  },
] as const satisfies readonly MenuText[];
