import { copyCellsIn } from '../area-editing.ts';
import type { ControlSequence } from '../control-function.ts';
import { addressableArea, areaFrom } from '../rectangle.ts';

/** The parameters for pages are ignored, since there is only one page. */
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
    if (source !== undefined) copyCellsIn(screen, source, { row, column });
  },
};
