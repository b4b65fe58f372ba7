import type { OperatingSystemCommand } from '../control-function.ts';
import { TITLE_MAX_CHARACTERS } from '../limits.ts';

/** @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
export const titleAndIconName: OperatingSystemCommand = {
  kind: 'osc',
  name: 'change title and icon name',
  numbers: [0],
  keptCharacters: TITLE_MAX_CHARACTERS,
  run: ({ host, titleModes }, text) => {
    const label = titleModes.decode(text);
    if (label === undefined || !host.permits('SetTitle')) return;
    host.setLabel('title', label);
    host.setLabel('iconName', label);
  },
};
