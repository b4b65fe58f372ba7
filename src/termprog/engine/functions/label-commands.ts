import type { ControlFunction } from '../control-function.ts';
import { TITLE_MAX_CHARACTERS } from '../limits.ts';

/** Title and icon name, and how their texts are encoded. */
export const labelCommands: readonly ControlFunction[] = [
  /** @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
  {
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
  },
  /** @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
  {
    kind: 'osc',
    name: 'change icon name',
    numbers: [1],
    keptCharacters: TITLE_MAX_CHARACTERS,
    run: ({ host, titleModes }, text) => {
      const label = titleModes.decode(text);
      if (label === undefined || !host.permits('SetTitle')) return;
      host.setLabel('iconName', label);
    },
  },
  /** @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
  {
    kind: 'osc',
    name: 'change title',
    numbers: [2],
    keptCharacters: TITLE_MAX_CHARACTERS,
    run: ({ host, titleModes }, text) => {
      const label = titleModes.decode(text);
      if (label === undefined || !host.permits('SetTitle')) return;
      host.setLabel('title', label);
    },
  },
  {
    kind: 'csi',
    name: 'XTSMTITLE, set title modes',
    sequences: ['>t'],
    run: ({ titleModes }, parameters) => {
      for (const mode of parameters.from(0)) titleModes.set(mode, true);
    },
  },
  {
    kind: 'csi',
    name: 'XTRMTITLE, reset title modes',
    sequences: ['>T'],
    run: ({ titleModes }, parameters) => {
      for (const mode of parameters.from(0)) titleModes.set(mode, false);
    },
  },
];
