import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Switches procedural glyphs instead of those of outline fonts on or off. */
export const setFontLinedrawing: Action<'options' | 'bell'> = {
  name: 'set-font-linedrawing',
  run: ({ options, bell }, _event, parameters) => {
    const isForced = toggled(options.get('forceBoxChars'), parameters);
    if (isForced === undefined) bell.ring();
    else options.set('forceBoxChars', isForced);
  },
};
