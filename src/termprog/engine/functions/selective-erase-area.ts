import { wipeArea } from '../area-editing.ts';
import type { ControlSequence } from '../control-function.ts';
import { areaFrom } from '../rectangle.ts';

/** Erases an area but, unlike other erasures, leaves colours and attributes as they are; VT420 programmer reference. */
export const selectiveEraseArea: ControlSequence = {
  kind: 'csi',
  name: 'DECSERA, selective erase rectangular area',
  sequences: ['${'],
  level: 4,
  run: ({ screen }, parameters) => {
    const area = areaFrom(screen, parameters, 0);
    if (area !== undefined) wipeArea(screen, area);
  },
};
