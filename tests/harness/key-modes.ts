/** A state of the keyboard in which the table of keys is typed. */
export interface KeyMode {
  name: string;
  /** Sequence that brings a new terminal of ours into the mode. */
  setup: string;
  /** Sequence that brings xterm into the mode, where that differs. */
  xtermSetup?: string;
  /** Resources of xterm without which it can't be brought into the mode. */
  resources?: readonly string[];
}

const csi = (...sequences: string[]): string => sequences.map((sequence) => `\x1b[${sequence}`).join('');

/** xterm distinguishes Alt from Meta only by a resource; on most keyboards they are on one modifier. */
const ALT_SENDS_ESCAPE = ['*altIsNotMeta: true', '*altSendsEscape: true'];

const mode = (name: string, setup: string, more: Partial<KeyMode> = {}): KeyMode => ({
  name,
  setup,
  resources: ALT_SENDS_ESCAPE,
  ...more,
});

/** The first is the one of a new terminal. */
export const KEY_MODES: readonly KeyMode[] = [
  mode('new', ''),
  mode('application cursor keys', csi('?1h')),
  mode('application keypad', csi('?66h')),
  mode('backarrow is backspace', csi('?67h')),
  mode('alt sets the eighth bit', csi('?1034h', '?1039l'), { xtermSetup: csi('?1034h'), resources: [] }),
  mode('alt changes nothing', csi('?1034l', '?1039l'), { xtermSetup: csi('?1034l'), resources: [] }),
  mode('meta sends escape', csi('?1036h', '?1039l'), { xtermSetup: csi('?1036h'), resources: [] }),
  mode('num lock is not special', csi('?1035l', '?66h')),
  ...['0', '1', '3'].map((value) => mode(`modifyCursorKeys ${value}`, csi(`>1;${value}m`))),
  mode('modifyCursorKeys off', csi('>1n')),
  ...['0', '1', '3'].map((value) => mode(`modifyFunctionKeys ${value}`, csi(`>2;${value}m`))),
  mode('modifyFunctionKeys off', csi('>2n')),
  mode('modifyOtherKeys 1', csi('>4;1m')),
  mode('modifyOtherKeys 2', csi('>4;2m')),
  mode('modifyOtherKeys 1, formatOtherKeys 1', csi('>4;1m', '>4;1f'), {
    xtermSetup: csi('>4;1m'),
    resources: [...ALT_SENDS_ESCAPE, '*formatOtherKeys: 1'],
  }),
  mode('modifyOtherKeys 2, formatOtherKeys 1', csi('>4;2m', '>4;1f'), {
    xtermSetup: csi('>4;2m'),
    resources: [...ALT_SENDS_ESCAPE, '*formatOtherKeys: 1'],
  }),
  mode('modifyOtherKeys 1 without alt sends escape', csi('>4;1m', '?1034h', '?1039l'), {
    xtermSetup: csi('>4;1m', '?1034h'),
    resources: [],
  }),
  mode('modifyOtherKeys 2 without alt sends escape', csi('>4;2m', '?1034h', '?1039l'), {
    xtermSetup: csi('>4;2m', '?1034h'),
    resources: [],
  }),
  mode('modifyOtherKeys 2, application keypad and cursor keys', csi('>4;2m', '?1h', '?66h')),
];
