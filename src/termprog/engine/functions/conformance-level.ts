import type { ControlSequence } from '../control-function.ts';
import { LEVEL_MAX } from '../terminal-state.ts';

/** Levels are written as 61 and up. A level above the highest means the highest. */
const LEVEL_BASE = 60;

export const conformanceLevel: ControlSequence = {
  kind: 'csi',
  name: 'DECSCL, select conformance level',
  sequences: ['"p'],
  run: (state, parameters) => {
    const level = parameters.at(0) - LEVEL_BASE;
    if (level >= 1 && level <= LEVEL_MAX + 1) state.setLevel(Math.min(level, LEVEL_MAX));
  },
};
