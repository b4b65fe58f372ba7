import type { OperatingSystemCommand } from '../control-function.ts';
import { TITLE_MAX_CHARACTERS } from '../limits.ts';

/** @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
export const iconName: OperatingSystemCommand = {
  kind: 'osc',
  name: 'change icon name',
  number: 1,
  keptCharacters: TITLE_MAX_CHARACTERS,
  run: ({ host }, text) => {
    if (!host.permits('SetTitle')) return;
    host.setLabel('iconName', text);
  },
};
