import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Permits or forbids applications to change and query colours. */
export const allowColorOps: Action<'options' | 'bell'> = {
  name: 'allow-color-ops',
  run: ({ options, bell }, _event, parameters) => {
    const isAllowed = toggled(options.get('allowColorOps'), parameters);
    if (isAllowed === undefined) bell.ring();
    else options.set('allowColorOps', isAllowed);
  },
};
