import type { Action } from '../ports/action.ts';

/** The entry Default, as in the reference terminal. */
const DEFAULT = 'd';

/** An entry of the VT Fonts menu: Default, or 1 to 7. */
const ENTRY = /^(?:d|[1-7])$/;

/** Switches to an entry of the VT Fonts menu. It is not in the specification: decision 130. */
export const setVtFont: Action<'fonts' | 'bell'> = {
  name: 'set-vt-font',
  run: ({ fonts, bell }, _event, parameters) => {
    const [entry = '', ...others] = parameters.map((parameter) => parameter.toLowerCase());
    if (!ENTRY.test(entry) || others.length > 0) bell.ring();
    else fonts.select(entry === DEFAULT ? 0 : Number(entry));
  },
};
