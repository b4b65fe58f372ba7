import type { ControlSequence } from '../control-function.ts';

export const privateDeviceStatus: ControlSequence = {
  kind: 'csi',
  name: 'DECXCPR, extended cursor position report',
  sequences: ['?n'],
  run: ({ host, screen }, parameters) => {
    if (parameters.at(0) !== 6) return;
    const { row, column } = screen.address;
    host.reply(`\x1b[?${row + 1};${column + 1}R`);
  },
};
