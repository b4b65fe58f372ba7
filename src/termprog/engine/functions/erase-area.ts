import { eraseCellsIn } from '../area-editing.ts';
import type { ControlSequence } from '../control-function.ts';
import { areaFrom } from '../rectangle.ts';

export const eraseArea: ControlSequence = {
  kind: 'csi',
  name: 'DECERA, erase rectangular area',
  sequences: ['$z'],
  level: 4,
  run: ({ screen }, parameters) => {
    const area = areaFrom(screen, parameters, 0);
    if (area !== undefined) eraseCellsIn(screen, area);
  },
};
