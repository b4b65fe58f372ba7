import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Permits or forbids applications to change titles. */
export const allowTitleOps: Action<'options' | 'bell'> = {
  name: 'allow-title-ops',
  run: ({ options, bell }, _event, parameters) => {
    const isAllowed = toggled(options.get('allowTitleOps'), parameters);
    if (isAllowed === undefined) bell.ring();
    else options.set('allowTitleOps', isAllowed);
  },
};
