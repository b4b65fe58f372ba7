/** One behaviour that the specification owes, and the heading under which it stands. */
export interface Requirement {
  spec: string;
  behaviour: string;
}

/** Behaviours under one heading. */
export function under<const Id extends string>(
  spec: string,
  behaviours: Readonly<Record<Id, string>>,
): Record<Id, Requirement> {
  const entries = Object.entries<string>(behaviours).map(([id, behaviour]) => [id, { spec, behaviour }]);
  return Object.fromEntries(entries) as Record<Id, Requirement>;
}

/**
 * A requirement for every row of the specification's tables and every group of its menus' entries. Tests name those
 * they prove; the page has what there is to know about each.
 */
export const termprogRequirements = {
  ...under('termprog#terminal-widget-resources-termvt100', {
    'termprog.resource.font': 'Bitmap font of the Default entry of the VT Fonts menu, used when renderFont is false',
    'termprog.resource.font1-font7': 'Bitmap fonts of the entries Unreadable to Enormous',
    'termprog.resource.renderFont': 'true selects the outline-font (Xft) renderer, false the bitmap renderer',
    'termprog.resource.faceName': 'Primary face',
    'termprog.resource.faceSize':
      'Point size of the Default entry under the outline renderer, resolved against the DPI of the screen',
    'termprog.resource.faceSize1-faceSize7':
      'Point sizes of the other VT Fonts entries; 0 derives the size from the bitmap font of the same slot',
    'termprog.resource.faceNameDoublesize':
      'Face tried first for wide text, and second for emoji when faceNameEmoji misses',
    'termprog.resource.faceNameEmoji': 'Face tried first for clusters with emoji presentation',
    'termprog.resource.faceNameEmojiText': 'Monochrome face for emoji with text presentation',
    'termprog.resource.faceNameHan': 'Face tried first for characters with text presentation whose script is Han',
    'termprog.resource.boldFont':
      'Explicit chain of bold faces; an entry beginning xft: names a pattern; without this resource bold is derived from the primary face',
    'termprog.resource.wideBoldFont': 'As boldFont, for wide text',
    'termprog.resource.fallbackFace1-fallbackFace16':
      "The user's fallback faces in order, consulted after the explicit role faces and before system candidates",
    'termprog.resource.systemFallback':
      'Allows unnamed system candidates after the named faces; when false, a cluster that cannot be drawn shows as a placeholder box',
    'termprog.resource.fitEmojiText':
      'Allows a monochrome face to be shrunk uniformly (never enlarged) to fit its cells; when false such a face is refused',
    'termprog.resource.limitFontsets': 'Budget of fallback faces opened per slot and style; 0 disables all fallback',
    'termprog.resource.limitFontHeight':
      'Tolerance in percent for recognising a face of double height; accepted for compatibility, double-height rendering is not implemented',
    'termprog.resource.limitFontWidth':
      'Percent by which the advance of a fallback glyph may exceed the cell before the face is rejected for that cluster',
    'termprog.resource.emojiPresentation':
      'unicode follows the default of Unicode, text forces text, emoji forces emoji; the variation selectors VS15 and VS16 always win',
    'termprog.resource.colorGlyphs':
      'Allows colour glyph formats; when false a face is used only if it has a real outline',
    'termprog.resource.graphemeWidth':
      'Initial state of DEC private mode 2027: legacy or unicode; applications may still set or reset it',
    'termprog.resource.reportFontRouting':
      'Collects a bounded number of font-routing records for the action report-font-routing()',
    'termprog.resource.foreground': 'Default colour of text',
    'termprog.resource.cursorColor': 'Colour of the cursor; a block is filled with focus and an outline without',
    'termprog.resource.color0-color15': 'The 16 ANSI entries: 0 to 7 normal, 8 to 15 bright',
    'termprog.resource.boldColors':
      'Bold text in colours 0 to 7 uses the bright 8 to 15; when false, bold changes only the weight',
    'termprog.resource.backgroundOpacity': 'From 0.0 (transparent) to 1.0',
    'termprog.resource.reverseVideo': 'Swaps default foreground and background; independent of DECSCNM and SGR 7',
    'termprog.resource.saveLines':
      'Lines of scrollback; 0 disables history; the engine frees whole pages, so the limit is approximate within a page',
    'termprog.resource.scrollBar': 'Shows the scrollbar, a child widget named scrollbar with resources of its own',
    'termprog.resource.rightScrollBar': 'Puts the scrollbar on the right',
    'termprog.resource.scrollBarBorder': 'Border width of the scrollbar in pixels',
    'termprog.resource.scrollTtyOutput':
      'Jumps to the live bottom on output; when false, the viewport keeps its distance from the bottom',
    'termprog.resource.scrollKey': 'Jumps to the live bottom on a key press',
    'termprog.resource.multiClickTime': 'Milliseconds allowed between the clicks of a multiple click',
    'termprog.resource.charClass': 'Classes for word selection in the form low[-high]:class, separated by commas',
    'termprog.resource.selectToClipboard':
      'The symbolic name SELECT means CLIPBOARD rather than PRIMARY for copy and paste',
    'termprog.resource.allowWindowOps':
      'Blanket permission for the window operations that disallowedWindowOps otherwise refuses; effective only while allowSendEvents is false',
    'termprog.resource.disallowedWindowOps':
      'Names of operations, separated by commas, that are refused unless allowWindowOps is true and allowSendEvents is false',
    'termprog.resource.maxStringParse':
      'Largest control string in bytes; enforced only for OSC 52 selection writes, where the base64 payload is measured',
    'termprog.resource.internalBorder': 'Padding in pixels between text and the edge of the window',
    'termprog.resource.columns': 'Initial columns when no geometry is given',
    'termprog.resource.rows': 'Initial rows when no geometry is given',
    'termprog.resource.loginShell':
      'Starts the shell as a login shell (argv[0] is the name of the shell with a dash in front)',
    'termprog.resource.geometry':
      'WIDTHxHEIGHT+X+Y; the size replaces columns and rows, a size of zero becomes one, negative offsets count from the right and the bottom',
    'termprog.resource.alwaysHighlight': 'Filled block cursor even without focus',
    'termprog.resource.cursorBlink': 'false, true, always or never',
    'termprog.resource.cursorBlinkXOR':
      'Combines the configured and the requested blinking by exclusive or (true) or inclusive or (false)',
    'termprog.resource.cursorUnderLine': 'Starts with an underline cursor',
    'termprog.resource.cursorBar': 'Starts with a bar cursor',
    'termprog.resource.forceBoxChars':
      'Draws the supported procedural glyphs (box, block, Braille, DEC scan lines, corner triangles, legacy-computing symbols, selected Powerline separators) from the geometry of the cell',
    'termprog.resource.answerbackString': 'Text sent as it is in answer to ENQ (0x05); empty sends nothing',
    'termprog.resource.cursorOnTime': 'Milliseconds a blinking cursor is visible',
    'termprog.resource.cursorOffTime': 'Milliseconds a blinking cursor is hidden',
    'termprog.resource.copyFlashDuration': 'Milliseconds that freshly copied text flashes; 0 disables it',
    'termprog.resource.copyFlashColor':
      'Background of the copied cells during the flash; empty shows them in their unselected colours',
    'termprog.resource.allowTitleOps': 'Allows applications to change titles, and the title to be restored on pop',
    'termprog.resource.utf8Title': 'true, false, always or default (true in a UTF-8 locale, else false)',
    'termprog.resource.allowColorOps':
      'Blanket permission for OSC 10-19 set and query, OSC 110-119 reset and OSC 4/5 queries; it applies only while allowSendEvents is false; otherwise disallowedColorOps decides',
    'termprog.resource.allowSendEvents':
      'When true, it blocks title operations completely, and the blanket permissions for colours and windows (only colour operations that disallowedColorOps does not name stay permitted',
    'termprog.resource.disallowedColorOps':
      'Names refused unless allowColorOps is true and allowSendEvents false: SetColor (OSC 10-19 sets, 110-119 resets), GetColor (OSC 10-19 queries), GetAnsiColor (OSC 4/5 queries)',
    'termprog.resource.allowMouseOps':
      'Permits mouse and focus reports to the application; disabling it restores local selection without changing the modes asked for',
    'termprog.resource.allowTcapOps':
      'Permits terminal-capability operations whatever disallowedTcapOps says; at present it gates XTGETTCAP replies',
    'termprog.resource.disallowedTcapOps': 'Applies when allowTcapOps is false',
    'termprog.resource.allowFontOps':
      'Prepared for OSC 50; no backend exists, the menu entry is disabled, it has no effect',
    'termprog.resource.disallowedFontOps': 'Prepared restrictions; no effect until OSC 50 is connected',
    'termprog.palette.color0': 'color0 is black #000000 by default',
    'termprog.palette.color8': 'color8 is gray50 #7f7f7f by default',
    'termprog.palette.color1': 'color1 is red3 #cd0000 by default',
    'termprog.palette.color9': 'color9 is red #ff0000 by default',
    'termprog.palette.color2': 'color2 is green3 #00cd00 by default',
    'termprog.palette.color10': 'color10 is green #00ff00 by default',
    'termprog.palette.color3': 'color3 is yellow3 #cdcd00 by default',
    'termprog.palette.color11': 'color11 is yellow #ffff00 by default',
    'termprog.palette.color4': 'color4 is blue2 #0000ee by default',
    'termprog.palette.color12': 'color12 is rgb:5c/5c/ff #5c5cff by default',
    'termprog.palette.color5': 'color5 is magenta3 #cd00cd by default',
    'termprog.palette.color13': 'color13 is magenta #ff00ff by default',
    'termprog.palette.color6': 'color6 is cyan3 #00cdcd by default',
    'termprog.palette.color14': 'color14 is cyan #00ffff by default',
    'termprog.palette.color7': 'color7 is gray90 #e5e5e5 by default',
    'termprog.palette.color15': 'color15 is white #ffffff by default',
  }),
  ...under('termprog#application-resources-term-or-term', {
    'termprog.resource.termName': 'Value of TERM for the child and of the XTGETTCAP reply to TN',
    'termprog.resource.sameName':
      'Skips an update of title or icon that repeats the label asked for last (compared with the last request, not with the live property)',
    'termprog.resource.hold':
      'Keeps the window after the child exits until the user closes it; later input is discarded; the exit status stays 0',
    'termprog.resource.pipeCommandOutput':
      'Shell command that pipe-command-output() runs with the output of the last completed command on standard input, in the directory last reported',
    'termprog.resource.menuLocale': 'Locale under which the popup menus are created',
    'termprog.resource.logLevel': 'Minimum severity written to standard error: debug, info, warning, error',
    'termprog.resource.debug': 'Alias: when logLevel is unset, true selects debug',
    'termprog.resource.reportConfig': 'Prints the resolved configuration and exits instead of opening a window',
  }),
  ...under('termprog#toolkit-resources', {
    'termprog.resource.background': 'Default background; also the trough of the scrollbar',
    'termprog.resource.title': 'Title of the window; applications change it with OSC 0 or OSC 2',
    'termprog.resource.iconName': 'Name of the icon',
    'termprog.resource.iconGeometry': 'Preferred position of the icon',
    'termprog.resource.iconic': 'Starts iconified',
    'termprog.resource.borderColor': 'Colour of the window border',
    'termprog.resource.borderWidth': 'Width of the window border',
  }),
  ...under('termprog#states-and-transitions', {
    'termprog.state.starting-the-window-is-mapped-and-the-child-runs':
      'starting, the window is mapped and the child runs: running',
    'termprog.state.starting-bad-option-no-display-no-usable-font-or-the-child-cannot-be-started':
      'starting, bad option, no display, no usable font, or the child cannot be started: ended; one line on standard error, status 1',
    'termprog.state.running-the-child-exits-hold-is-false':
      'running, the child exits, `hold` is false: ended; all output of the child is drawn first; status 0',
    'termprog.state.running-the-child-exits-hold-is-true':
      'running, the child exits, `hold` is true: held; the window stays; later input is discarded',
    'termprog.state.running-the-user-closes-the-window-or-Quit':
      'running, the user closes the window, or Quit: ended; the process group of the child gets SIGHUP; status 0',
    'termprog.state.running-or-held-the-X-server-goes-away':
      'running or held, the X server goes away: ended; one line on standard error, status 1',
    'termprog.state.held-the-user-closes-the-window': 'held, the user closes the window: ended; status 0',
  }),
  ...under('termprog#command-line-options', {
    'termprog.option.version': '-version, --version: print the version number',
    'termprog.option.help': '-help, --help: print the usage message',
    'termprog.option.display': '-display displayname: X server to contact',
    'termprog.option.geometry': '-geometry geom: sets vt100.geometry',
    'termprog.option.rv': '-rv / +rv: sets vt100.reverseVideo true / false',
    'termprog.option.r': '-r / +r: historical alias of -rv / +rv',
    'termprog.option.reverse': '-reverse: vt100.reverseVideo true',
    'termprog.option.bg': '-bg color, -background color: background',
    'termprog.option.fg': '-fg color, -foreground color: foreground',
    'termprog.option.bd': '-bd color, -bordercolor color: borderColor',
    'termprog.option.bw': '-bw number, -borderwidth number, -w number: borderWidth',
    'termprog.option.fn': '-fn fontname, -font fontname: vt100.font',
    'termprog.option.fb': '-fb fontname: vt100.boldFont',
    'termprog.option.fwb': '-fwb fontname: vt100.wideBoldFont',
    'termprog.option.fa': '-fa pattern: vt100.faceName',
    'termprog.option.fd': '-fd pattern: vt100.faceNameDoublesize',
    'termprog.option.fe': '-fe pattern: vt100.faceNameEmoji',
    'termprog.option.fs': '-fs size: vt100.faceSize',
    'termprog.option.iconic': '-iconic: iconic true',
    'termprog.option.name': '-name string: client instance, icon and title strings',
    'termprog.option.class': '-class string: application class string (default Term)',
    'termprog.option.title': '-title string, -T string: title',
    'termprog.option.n': '-n string: iconName',
    'termprog.option.number-sign': '#geometry: iconGeometry',
    'termprog.option.tn': '-tn name: termName',
    'termprog.option.xrm': '-xrm resourcestring: an additional resource specification',
    'termprog.option.selectionTimeout': '-selectionTimeout milliseconds: selection timeout of the toolkit',
    'termprog.option.synchronous': '-synchronous / +synchronous: synchronous X requests on / off',
    'termprog.option.xnllanguage': '-xnllanguage string: language resource of the toolkit',
    'termprog.option.b': '-b number: vt100.internalBorder',
    'termprog.option.ah': '-ah / +ah: vt100.alwaysHighlight true / false',
    'termprog.option.bc': '-bc / +bc: vt100.cursorBlink true / false',
    'termprog.option.uc': '-uc / +uc: vt100.cursorUnderLine true / false',
    'termprog.option.barc': '-barc / +barc: vt100.cursorBar true / false',
    'termprog.option.bcf': '-bcf milliseconds: vt100.cursorOffTime',
    'termprog.option.bcn': '-bcn milliseconds: vt100.cursorOnTime',
    'termprog.option.opacity': '-opacity value: vt100.backgroundOpacity, 0.0 through 1.0 or disabled',
    'termprog.option.cc': '-cc classrange: vt100.charClass',
    'termprog.option.cr': '-cr color: vt100.cursorColor',
    'termprog.option.pc': '-pc / +pc: vt100.boldColors true / false',
    'termprog.option.ls': '-ls / +ls: loginShell on / off',
    'termprog.option.mc': '-mc milliseconds: vt100.multiClickTime',
    'termprog.option.hold': '-hold / +hold: hold on / off',
    'termprog.option.samename': '-samename / +samename: sameName on / off',
    'termprog.option.sb': '-sb / +sb: vt100.scrollBar true / false',
    'termprog.option.rightbar': '-rightbar: vt100.rightScrollBar true',
    'termprog.option.leftbar': '-leftbar: vt100.rightScrollBar false',
    'termprog.option.si': '-si / +si: vt100.scrollTtyOutput false / true',
    'termprog.option.sk': '-sk / +sk: vt100.scrollKey true / false',
    'termprog.option.sl': '-sl number: vt100.saveLines',
    'termprog.option.fbx': '+fbx / -fbx: forceBoxChars set / cleared',
    'termprog.option.log': '-log level: logLevel',
    'termprog.option.debug': '-debug / +debug: logLevel to debug / to warning',
    'termprog.option.report-config': '-report-config: reportConfig true: print the resolved configuration and exit',
    'termprog.option.report-font-routing': '-report-font-routing: vt100.reportFontRouting true',
    'termprog.option.welcome': '-welcome: analyse resources and fonts and suggest a readable setup',
    'termprog.option.e': '-e command args ...: command to run; must be last',
    'termprog.option.self-test': '-self-test, --self-test: run the diagnostic of the installed package',
  }),
  ...under('termprog#popup-menus', {
    'termprog.menu.main.toolbar': 'Main Options shows Toolbar as unavailable',
    'termprog.menu.main.full-screen': 'Main Options shows Full Screen as unavailable',
    'termprog.menu.main.secure-keyboard': 'Main Options shows Secure Keyboard as unavailable',
    'termprog.menu.main.allow-sendevents': 'Main Options shows Allow SendEvents as unavailable',
    'termprog.menu.main.redraw-window': 'Main Options has the entry Redraw Window',
    'termprog.menu.main.log-to-file':
      'Main Options shows Log to File, Print-All Immediately, Print-All on Error, Print Window, Redirect to Printer, XHTML Screen Dump, SVG Screen Dump as unavailable',
    'termprog.menu.main.opacity-slider':
      'Main Options has the entry Opacity slider (adjusts `backgroundOpacity` for the window)',
    'termprog.menu.main.8-bit-controls': 'Main Options shows 8-Bit Controls as unavailable',
    'termprog.menu.main.backarrow-key': 'Main Options has the entry Backarrow Key (BS/DEL)',
    'termprog.menu.main.alt-numlock-modifiers': 'Main Options has the entry Alt/NumLock Modifiers',
    'termprog.menu.main.alt-sends-escape': 'Main Options has the entry Alt Sends Escape',
    'termprog.menu.main.meta-sends-escape':
      'Main Options shows Meta Sends Escape, Delete is DEL, Old, Termcap, HP, SCO and Sun Function-Keys, VT220 Keyboard as unavailable',
    'termprog.menu.main.send-stop': 'Main Options shows Send STOP, CONT, INT, HUP, TERM and KILL Signal as unavailable',
    'termprog.menu.main.quit': 'Main Options has the entry Quit',
    'termprog.menu.vt.enable-scrollbar': 'VT Options has the entry Enable Scrollbar',
    'termprog.menu.vt.enable-jump-scroll': 'VT Options shows Enable Jump Scroll as unavailable',
    'termprog.menu.vt.enable-reverse-video': 'VT Options has the entry Enable Reverse Video',
    'termprog.menu.vt.enable-auto-wraparound': 'VT Options has the entry Enable Auto Wraparound',
    'termprog.menu.vt.enable-reverse-wraparound': 'VT Options has the entry Enable Reverse Wraparound',
    'termprog.menu.vt.enable-auto-linefeed': 'VT Options has the entry Enable Auto Linefeed',
    'termprog.menu.vt.enable-application-cursor-keys': 'VT Options has the entry Enable Application Cursor Keys',
    'termprog.menu.vt.enable-application-keypad': 'VT Options has the entry Enable Application Keypad',
    'termprog.menu.vt.scroll-to-bottom-on-key-press': 'VT Options has the entry Scroll to Bottom on Key Press',
    'termprog.menu.vt.scroll-to-bottom-on-tty-output': 'VT Options has the entry Scroll to Bottom on Tty Output',
    'termprog.menu.vt.allow-80-132-column-switching':
      'VT Options shows Allow 80/132 Column Switching, Keep Selection, Keep Clipboard as unavailable',
    'termprog.menu.vt.select-to-clipboard': 'VT Options has the entry Select to Clipboard',
    'termprog.menu.vt.enable-visual-bell':
      'VT Options shows Enable Visual Bell, Bell Urgency, Pop on Bell, Blinking Cursor, Alternate Screen Switching, Active Icon as unavailable',
    'termprog.menu.vt.do-soft-reset':
      'VT Options shows Do Soft Reset, Do Full Reset, Reset and Clear Saved Lines as unavailable',
    'termprog.menu.vt.show-tek-window':
      'VT Options shows Show Tek Window, Switch to Tek Mode, Hide VT Window, Show Alternate Screen, Enable XCopyArea, Sixel Scrolling, Private Color Registers as unavailable',
    'termprog.menu.font.default':
      'VT Fonts switches between the font slots Default, Unreadable, Tiny, Small, Medium, Large, Huge, Enormous',
    'termprog.menu.font.escape-sequence-and-selection': 'VT Fonts shows Escape Sequence and Selection as unavailable',
    'termprog.menu.font.bold-fonts': 'VT Fonts shows Bold Fonts as unavailable',
    'termprog.menu.font.procedural-glyphs': 'VT Fonts has the entry Procedural Glyphs',
    'termprog.menu.font.packed-font':
      'VT Fonts shows Packed Font, Doublesized Characters, VT220 Soft Fonts as unavailable',
    'termprog.menu.font.truetype-fonts': 'VT Fonts has the entry TrueType Fonts',
    'termprog.menu.font.utf-8-encoding-and-utf-8-fonts': 'VT Fonts shows UTF-8 Encoding and UTF-8 Fonts as unavailable',
    'termprog.menu.font.utf-8-titles': 'VT Fonts has the entry UTF-8 Titles',
    'termprog.menu.font.allow-color-ops': 'VT Fonts has the entry Allow Color Ops',
    'termprog.menu.font.allow-mouse-ops': 'VT Fonts has the entry Allow Mouse Ops',
    'termprog.menu.font.allow-termcap-ops': 'VT Fonts has the entry Allow Termcap Ops',
    'termprog.menu.font.allow-title-ops': 'VT Fonts has the entry Allow Title Ops',
    'termprog.menu.font.allow-window-ops': 'VT Fonts has the entry Allow Window Ops',
  }),
  ...under('termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget', {
    'termprog.action.select-start':
      'Begins a selection at the pointer; repeated clicks within multiClickTime select by word, then by line',
    'termprog.action.select-extend':
      'Extends the current selection to the pointer, scrolling history when the pointer leaves the window',
    'termprog.action.select-end':
      'Finishes the selection and publishes it to the named selections and cut buffers (for example SELECT, CUT_BUFFER0)',
    'termprog.action.start-extend':
      'Moves the nearer end of the existing selection to the pointer and goes on extending',
    'termprog.action.insert-selection':
      'Pastes the first named selection or cut buffer that yields text, trying UTF8_STRING before STRING',
    'termprog.action.set-select': 'Sets selectToClipboard',
    'termprog.action.scroll-back':
      'Scrolls back by count lines, halfpages or pages; the suffix m also forwards the event as a mouse action to an application with mouse reporting',
    'termprog.action.scroll-forw': 'Scrolls forward, with the same parameters',
    'termprog.action.previous-prompt':
      'Scrolls up to the start of the count-th previous shell prompt marked with OSC 133 (default 1)',
    'termprog.action.next-prompt': 'Scrolls down to the next OSC 133 prompt, with the same parameter',
    'termprog.action.insert-seven-bit':
      'Delivers the key to the application through the normal input path instead of a local action',
    'termprog.action.insert-eight-bit':
      'The same as insert-seven-bit; keys are encoded from the current keyboard modes',
    'termprog.action.pipe-command-output':
      'Sends the output of the last completed command (found by its OSC 133 marks) to the command pipeCommandOutput, run in the directory last given by OSC 7 if one is known',
    'termprog.action.start-search': 'Opens the search overlay: typing searches scrollback for literal text',
    'termprog.action.larger-vt-font': 'Switch to the next larger / smaller configured font slot',
    'termprog.action.set-render-font': 'Switches between the outline and the bitmap renderer',
    'termprog.action.allow-title-ops': 'Changes Allow Title Ops; no parameter or toggle flips it; case does not matter',
    'termprog.action.set-utf8-title': 'Changes utf8Title; arguments as above; works in every locale',
    'termprog.action.allow-color-ops':
      'Changes Allow Color Ops; arguments as above; while allowSendEvents is true the change is recorded but the blanket permission stays blocked',
    'termprog.action.set-font-linedrawing': 'Changes forceBoxChars',
    'termprog.action.popup-menu': 'Posts mainMenu, vtMenu or fontMenu',
    'termprog.action.mouse-press': 'Reports the button press to an application with mouse reporting; otherwise nothing',
    'termprog.action.mouse-motion': 'Reports pointer motion to such an application',
    'termprog.action.hyperlink-start':
      "If the cell under the pointer carries an OSC 8 hyperlink or a visible HTTP(S) URL, arms it so that the release opens it with the desktop's URL opener; otherwise behaves as select-start",
    'termprog.action.report-font-routing':
      'Writes a snapshot of the collected font-routing decisions to standard error; requires reportFontRouting',
  }),
  ...under('termprog#default-translations', {
    'termprog.translation.Shift-not-Ctrl-KeyPress-KP-Add': 'Shift~Ctrl KeyPress KP_Add does larger-vt-font()',
    'termprog.translation.Shift-Ctrl-KeyPress-KP-Add': 'Shift Ctrl KeyPress KP_Add does smaller-vt-font()',
    'termprog.translation.Shift-KeyPress-KP-Subtract': 'Shift KeyPress KP_Subtract does smaller-vt-font()',
    'termprog.translation.Shift-KeyPress-Insert': 'Shift KeyPress Insert does insert-selection(SELECT, CUT_BUFFER0)',
    'termprog.translation.Shift-KeyPress-Prior': 'Shift KeyPress Prior does scroll-back(1,halfpage)',
    'termprog.translation.Shift-KeyPress-Next': 'Shift KeyPress Next does scroll-forw(1,halfpage)',
    'termprog.translation.Ctrl-Shift-KeyPress-Up': 'Ctrl Shift KeyPress Up does previous-prompt()',
    'termprog.translation.Ctrl-Shift-KeyPress-Down': 'Ctrl Shift KeyPress Down does next-prompt()',
    'termprog.translation.Ctrl-Shift-KeyPress-g': 'Ctrl Shift KeyPress g does pipe-command-output()',
    'termprog.translation.Ctrl-Shift-KeyPress-f': 'Ctrl Shift KeyPress f does start-search()',
    'termprog.translation.exactly-Ctrl-with-Btn1Down': 'exactly Ctrl with Btn1Down does popup-menu(mainMenu)',
    'termprog.translation.exactly-Ctrl-with-Btn2Down': 'exactly Ctrl with Btn2Down does popup-menu(vtMenu)',
    'termprog.translation.exactly-Ctrl-with-Btn3Down': 'exactly Ctrl with Btn3Down does popup-menu(fontMenu)',
    'termprog.translation.Shift-without-Ctrl-Meta-Btn1Down':
      'Shift without Ctrl, Meta, Btn1Down does hyperlink-start()',
    'termprog.translation.without-Meta-Btn1Down': 'without Meta, Btn1Down does select-start()',
    'termprog.translation.Meta-Btn1Down': 'Meta Btn1Down does select-start(block)',
    'termprog.translation.without-Ctrl-Meta-Btn2Down': 'without Ctrl, Meta, Btn2Down does mouse-press()',
    'termprog.translation.without-Ctrl-Meta-Btn2Up':
      'without Ctrl, Meta, Btn2Up does insert-selection(SELECT, CUT_BUFFER0)',
    'termprog.translation.without-Ctrl-Meta-Btn3Down': 'without Ctrl, Meta, Btn3Down does start-extend()',
    'termprog.translation.any-button-release': 'any button release does select-end(SELECT, CUT_BUFFER0)',
    'termprog.translation.Ctrl-Btn4Down': 'Ctrl Btn4Down does scroll-back(1,halfpage,m)',
    'termprog.translation.Btn4Down': 'Btn4Down does scroll-back(5,line,m)',
    'termprog.translation.Ctrl-Btn5Down': 'Ctrl Btn5Down does scroll-forw(1,halfpage,m)',
    'termprog.translation.Btn5Down': 'Btn5Down does scroll-forw(5,line,m)',
    'termprog.translation.button-motion': 'button motion does mouse-motion() then select-extend()',
    'termprog.translation.any-button-press': 'any button press does mouse-press()',
  }),
  ...under('termprog#limits', {
    'termprog.limit.saveLines': 'saveLines: 1024 lines by default; 0 disables history; approximate within one page',
    'termprog.limit.maxStringParse': 'maxStringParse: 600000 bytes, enforced for OSC 52 writes only',
    'termprog.limit.limitFontsets': 'limitFontsets: 50 fallback faces per slot and style; 0 disables fallback',
    'termprog.limit.fallbackFace-slots': 'fallbackFace slots: 1 to 16',
    'termprog.limit.limitFontWidth': 'limitFontWidth: 10 percent',
    'termprog.limit.limitFontHeight': 'limitFontHeight: 10 percent',
    'termprog.limit.multiClickTime': 'multiClickTime: 250 ms',
    'termprog.limit.termName-length-for-TN-reply': 'termName length for TN reply: 128 bytes',
    'termprog.limit.cursor-blink': 'cursor blink: on 600 ms, off 300 ms',
    'termprog.limit.initial-size': 'initial size: 80 columns by 24 rows',
  }),
};

export type RequirementId = keyof typeof termprogRequirements;
