import {
  changeCellsIn,
  copyCellsIn,
  eraseCellsIn,
  fillCellsIn,
  reversingAttributes,
  settingAttributes,
  wipeArea,
} from '../area-editing.ts';
import { addressableArea, areaFrom, streamFrom } from '../cell-area.ts';
import type { ControlFunction } from '../control-function.ts';

/** Place of the first attribute, behind the four sides of the area. */
const FIRST_ATTRIBUTE = 4;

/** Place of the first row to copy to. The parameters for pages are ignored, since there is only one page. */
const TO_TOP = 5;

/** Functions for the cells of a rectangle, or of a run of lines. */
export const areas: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'DECSACE, select attribute change extent',
    sequences: ['*x'],
    level: 4,
    run: (state, parameters) => {
      const extent = parameters.at(0);
      if (extent <= 2) state.attributeExtent = extent === 2 ? 'rectangle' : 'stream';
    },
  },
  {
    kind: 'csi',
    name: 'DECCARA, change attributes in rectangular area',
    sequences: ['$r'],
    level: 4,
    run: ({ screen, attributeExtent: extent }, parameters) => {
      const area = (extent === 'stream' ? streamFrom : areaFrom)(screen, parameters, 0);
      if (area !== undefined)
        changeCellsIn(screen, area, { change: settingAttributes(parameters.from(FIRST_ATTRIBUTE)), extent });
    },
  },
  {
    kind: 'csi',
    name: 'DECRARA, reverse attributes in rectangular area',
    sequences: ['$t'],
    level: 4,
    run: ({ screen, attributeExtent: extent }, parameters) => {
      const area = (extent === 'stream' ? streamFrom : areaFrom)(screen, parameters, 0);
      if (area === undefined) return;
      changeCellsIn(screen, area, { change: reversingAttributes(parameters.from(FIRST_ATTRIBUTE)), extent });
    },
  },
  {
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
  },
  {
    kind: 'csi',
    name: 'DECFRA, fill rectangular area',
    sequences: ['$x'],
    level: 4,
    run: (state, parameters) => {
      const code = parameters.at(0);
      const area = areaFrom(state.screen, parameters, 1);
      if (area !== undefined && state.isSingleCell(code)) fillCellsIn(state.screen, area, code);
    },
  },
  {
    kind: 'csi',
    name: 'DECERA, erase rectangular area',
    sequences: ['$z'],
    level: 4,
    run: ({ screen }, parameters) => {
      const area = areaFrom(screen, parameters, 0);
      if (area !== undefined) eraseCellsIn(screen, area);
    },
  },
  /** Erases an area but, unlike other erasures, leaves colours and attributes as they are; VT420 programmer reference. */
  {
    kind: 'csi',
    name: 'DECSERA, selective erase rectangular area',
    sequences: ['${'],
    level: 4,
    run: ({ screen }, parameters) => {
      const area = areaFrom(screen, parameters, 0);
      if (area !== undefined) wipeArea(screen, area);
    },
  },
];
