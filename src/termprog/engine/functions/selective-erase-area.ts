import type { ControlSequence } from '../control-function.ts';
import { eraseCells } from '../editing.ts';
import { areaFrom } from '../rectangle.ts';

export const selectiveEraseArea: ControlSequence = {
  kind: 'csi',
  name: 'DECSERA, selective erase rectangular area',
  sequences: ['${'],
  level: 4,
  run: ({ screen }, parameters) => {
    const area = areaFrom(screen, parameters, 0);
    if (area === undefined) return;
    for (let row = area.top; row <= area.bottom; row += 1) {
      eraseCells(screen, row, { start: area.left, end: area.right + 1, isSelective: true });
    }
  },
};
