import { changeCellsIn, settingAttributes } from '../area-editing.ts';
import type { ControlSequence } from '../control-function.ts';
import { areaFrom, streamFrom } from '../rectangle.ts';

const FIRST_ATTRIBUTE = 4;

export const changeAttributes: ControlSequence = {
  kind: 'csi',
  name: 'DECCARA, change attributes in rectangular area',
  sequences: ['$r'],
  level: 4,
  run: ({ screen, attributeExtent: extent }, parameters) => {
    const area = (extent === 'stream' ? streamFrom : areaFrom)(screen, parameters, 0);
    if (area !== undefined)
      changeCellsIn(screen, area, { change: settingAttributes(parameters.from(FIRST_ATTRIBUTE)), extent });
  },
};
