import type { ControlSequence } from '../control-function.ts';

export const deviceStatus: ControlSequence = {
  kind: 'csi',
  name: 'DSR, device status report',
  sequences: ['n'],
  run: ({ host, screen }, parameters) => {
    const what = parameters.at(0);
    if (what === 5) host.reply('\x1b[0n');
    else if (what === 6) {
      const { row, column } = screen.address;
      host.reply(`\x1b[${row + 1};${column + 1}R`);
    }
  },
};
