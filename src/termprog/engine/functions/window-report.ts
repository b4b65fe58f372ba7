import type { ControlSequence } from '../control-function.ts';
import type { LabelKind } from '../engine-host.ts';
import type { TerminalState } from '../terminal-state.ts';

/** Labels that the second parameter of 22 and 23 means. */
const LABELS: Readonly<Record<number, readonly LabelKind[]>> = {
  0: ['title', 'iconName'],
  1: ['iconName'],
  2: ['title'],
};

/** The second parameter of 14 that means the window with its padding; any other means its cells, as in xterm. */
const WHOLE_WINDOW = 2;

/**
 * Reports of sizes and labels, and the stack of labels, by the first parameter. Operations that would change the window
 * (1 to 10) are missing, and so are those that would report its place.
 * @spec termprog#terminal-widget-resources-termvt100 allowWindowOps
 */
const OPERATIONS: Readonly<Record<number, (state: TerminalState, which: number) => void>> = {
  14: ({ host }, which) => {
    if (!host.permits('GetWinSizePixels')) return;
    const { area, window } = host.metrics();
    const { width, height } = which === WHOLE_WINDOW ? window : area;
    host.reply(`\x1b[4;${height};${width}t`);
  },
  16: ({ host }) => {
    if (!host.permits('GetScreenSizeChars')) return;
    const { cell } = host.metrics();
    host.reply(`\x1b[6;${cell.height};${cell.width}t`);
  },
  18: ({ host, screen }) => {
    if (host.permits('GetWinSizeChars')) host.reply(`\x1b[8;${screen.rows};${screen.columns}t`);
  },
  20: ({ host, titleModes }) => {
    if (host.permits('GetIconTitle')) host.reply(`\x1b]L${titleModes.encode(host.label('iconName'))}\x1b\\`);
  },
  21: ({ host, titleModes }) => {
    if (host.permits('GetWinTitle')) host.reply(`\x1b]l${titleModes.encode(host.label('title'))}\x1b\\`);
  },
  22: ({ host, titles }, which) => {
    const kinds = LABELS[which];
    if (kinds === undefined || !host.permits('PushTitle')) return;
    titles.push({ title: host.label('title'), iconName: host.label('iconName') }, kinds);
  },
  23: ({ host, titles }, which) => {
    const kinds = LABELS[which];
    if (kinds === undefined || !host.permits('PopTitle')) return;
    const labels = titles.pop();
    if (labels === undefined || !host.permits('SetTitle')) return;
    for (const kind of kinds) host.setLabel(kind, labels[kind]);
  },
};

export const windowReport: ControlSequence = {
  kind: 'csi',
  name: 'XTWINOPS, reports of the window, and the stack of its titles',
  sequences: ['t'],
  choices: Object.keys(OPERATIONS),
  run: (state, parameters) => OPERATIONS[parameters.at(0)]?.(state, parameters.at(1)),
};
