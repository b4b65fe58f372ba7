import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Switches between outline and bitmap fonts. */
export const setRenderFont: Action<'fonts' | 'bell'> = {
  name: 'set-render-font',
  run: ({ fonts, bell }, _event, parameters) => {
    const isOutline = toggled(fonts.isOutline, parameters);
    if (isOutline === undefined) bell.ring();
    else fonts.setOutline(isOutline);
  },
};
