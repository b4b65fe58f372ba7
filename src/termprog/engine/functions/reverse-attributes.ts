import { changeCellsIn, reversingAttributes } from '../area-editing.ts';
import type { ControlSequence } from '../control-function.ts';
import { areaFrom, streamFrom } from '../rectangle.ts';

const FIRST_ATTRIBUTE = 4;

export const reverseAttributes: ControlSequence = {
  kind: 'csi',
  name: 'DECRARA, reverse attributes in rectangular area',
  sequences: ['$t'],
  level: 4,
  run: ({ screen, attributeExtent: extent }, parameters) => {
    const area = (extent === 'stream' ? streamFrom : areaFrom)(screen, parameters, 0);
    if (area === undefined) return;
    changeCellsIn(screen, area, { change: reversingAttributes(parameters.from(FIRST_ATTRIBUTE)), extent });
  },
};
