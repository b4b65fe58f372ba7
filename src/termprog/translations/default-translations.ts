/** Menus open while Control alone is held, in any state of the locks. */
const menuBinding = (button: number, menu: string): string =>
  ['!Ctrl', '!Lock Ctrl', '!Lock Ctrl @Num_Lock', '!@Num_Lock Ctrl']
    .map((modifiers) => `${modifiers} <Btn${button}Down>: popup-menu(${menu})`)
    .join('\n');

/** The bindings of every terminal at its start. @spec termprog#default-translations */
export const DEFAULT_TRANSLATIONS = `
Shift ~Ctrl <KeyPress> KP_Add: larger-vt-font()
Shift Ctrl <KeyPress> KP_Add: smaller-vt-font()
Shift <KeyPress> KP_Subtract: smaller-vt-font()
Shift <KeyPress> Insert: insert-selection(SELECT, CUT_BUFFER0)
Shift <KeyPress> Prior: scroll-back(1,halfpage)
Shift <KeyPress> Next: scroll-forw(1,halfpage)
Ctrl Shift <KeyPress> Up: previous-prompt()
Ctrl Shift <KeyPress> Down: next-prompt()
Ctrl Shift <KeyPress> g: pipe-command-output()
Ctrl Shift <KeyPress> f: start-search()
${menuBinding(1, 'mainMenu')}
${menuBinding(2, 'vtMenu')}
${menuBinding(3, 'fontMenu')}
Shift ~Ctrl ~Meta <Btn1Down>: hyperlink-start()
~Meta <Btn1Down>: select-start()
Meta <Btn1Down>: select-start(block)
~Ctrl ~Meta <Btn2Down>: mouse-press()
~Ctrl ~Meta <Btn2Up>: insert-selection(SELECT, CUT_BUFFER0)
~Ctrl ~Meta <Btn3Down>: start-extend()
<BtnUp>: select-end(SELECT, CUT_BUFFER0)
Ctrl <Btn4Down>: scroll-back(1,halfpage,m)
<Btn4Down>: scroll-back(5,line,m)
Ctrl <Btn5Down>: scroll-forw(1,halfpage,m)
<Btn5Down>: scroll-forw(5,line,m)
<BtnMotion>: mouse-motion() select-extend()
<BtnDown>: mouse-press()
`;
