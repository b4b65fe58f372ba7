import type { OperatingSystemCommand } from '../control-function.ts';
import { TITLE_MAX_CHARACTERS } from '../limits.ts';

/** @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
export const iconName: OperatingSystemCommand = {
  kind: 'osc',
  name: 'change icon name',
  numbers: [1],
  keptCharacters: TITLE_MAX_CHARACTERS,
  run: ({ host, titleModes }, text) => {
    const label = titleModes.decode(text);
    if (label === undefined || !host.permits('SetTitle')) return;
    host.setLabel('iconName', label);
  },
};
