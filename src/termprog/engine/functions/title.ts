import type { OperatingSystemCommand } from '../control-function.ts';
import { TITLE_MAX_CHARACTERS } from '../limits.ts';

/** @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
export const title: OperatingSystemCommand = {
  kind: 'osc',
  name: 'change title',
  number: 2,
  keptCharacters: TITLE_MAX_CHARACTERS,
  run: ({ host }, text) => {
    if (!host.permits('SetTitle')) return;
    host.setLabel('title', text);
  },
};
