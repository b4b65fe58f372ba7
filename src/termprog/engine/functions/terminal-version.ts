import type { ControlSequence } from '../control-function.ts';

export const terminalVersion: ControlSequence = {
  kind: 'csi',
  name: 'XTVERSION, report terminal name and version',
  sequences: ['>q'],
  run: ({ host, version }, parameters) => {
    if (parameters.at(0) === 0) host.reply(`\x1bP>|termprog(${version})\x1b\\`);
  },
};
