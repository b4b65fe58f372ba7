import { copyArea as copy } from '../area-editing.ts';
import type { ControlSequence } from '../control-function.ts';
import { addressableArea, areaFrom } from '../rectangle.ts';

/** The parameters for pages, of which there is one, are ignored. */
const TO_TOP = 5;

export const copyArea: ControlSequence = {
  kind: 'csi',
  name: 'DECCRA, copy rectangular area',
  sequences: ['$v'],
  level: 4,
  run: ({ screen }, parameters) => {
    const source = areaFrom(screen, parameters, 0);
    const limits = addressableArea(screen);
    const row = limits.top + parameters.count(TO_TOP) - 1;
    const column = limits.left + parameters.count(TO_TOP + 1) - 1;
    if (source !== undefined) copy(screen, source, { row, column });
  },
};
