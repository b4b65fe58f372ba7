import { fillCellsIn } from '../area-editing.ts';
import type { ControlSequence } from '../control-function.ts';
import { areaFrom } from '../rectangle.ts';

export const fillArea: ControlSequence = {
  kind: 'csi',
  name: 'DECFRA, fill rectangular area',
  sequences: ['$x'],
  level: 4,
  run: (state, parameters) => {
    const code = parameters.at(0);
    const area = areaFrom(state.screen, parameters, 1);
    if (area !== undefined && state.isSingleCell(code)) fillCellsIn(state.screen, area, code);
  },
};
