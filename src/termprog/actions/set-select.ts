import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Sets the meaning of SELECT: CLIPBOARD or PRIMARY. */
export const setSelect: Action<'options' | 'bell'> = {
  name: 'set-select',
  run: ({ options, bell }, _event, parameters) => {
    const toClipboard = toggled(options.get('selectToClipboard'), parameters);
    if (toClipboard === undefined) bell.ring();
    else options.set('selectToClipboard', toClipboard);
  },
};
