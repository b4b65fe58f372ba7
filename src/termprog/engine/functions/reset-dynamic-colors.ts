import type { OperatingSystemCommand } from '../control-function.ts';
import { DYNAMIC_COLORS } from '../engine-host.ts';

const FIRST = 110;

export const resetDynamicColors: OperatingSystemCommand = {
  kind: 'osc',
  name: 'reset colours of text, background, cursor, pointer and selections',
  numbers: DYNAMIC_COLORS.map((_name, index) => FIRST + index),
  run: ({ host }, text, command) => {
    const target = DYNAMIC_COLORS[command - FIRST];
    if (text === '' && target !== undefined && host.permits('SetColor')) host.colors.reset(target);
  },
};
