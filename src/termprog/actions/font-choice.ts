import type { Action } from '../ports/action.ts';
import { toggled } from './toggle.ts';

/** Switches to the next larger font. */
const largerVtFont: Action<'fonts'> = {
  name: 'larger-vt-font',
  run: ({ fonts }) => fonts.larger(),
};

/** Switches to the next smaller font. */
const smallerVtFont: Action<'fonts'> = {
  name: 'smaller-vt-font',
  run: ({ fonts }) => fonts.smaller(),
};

/** Switches between outline and bitmap fonts. */
export const setRenderFont: Action<'fonts' | 'bell'> = {
  name: 'set-render-font',
  run: ({ fonts, bell }, _event, parameters) => {
    const isOutline = toggled(fonts.isOutline, parameters);
    if (isOutline === undefined) bell.ring();
    else fonts.setOutline(isOutline);
  },
};

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

/** Switches procedural glyphs instead of those of outline fonts on or off. */
export const setFontLinedrawing: Action<'options' | 'bell'> = {
  name: 'set-font-linedrawing',
  run: ({ options, bell }, _event, parameters) => {
    const isForced = toggled(options.get('forceBoxChars'), parameters);
    if (isForced === undefined) bell.ring();
    else options.set('forceBoxChars', isForced);
  },
};

/** Writes the decisions about fonts so far. */
const reportFontRouting: Action<'fontRouting'> = {
  name: 'report-font-routing',
  run: ({ fontRouting }) => fontRouting.report(),
};

/** Actions about fonts. */
export const fontChoice: readonly Action[] = [
  largerVtFont,
  smallerVtFont,
  setRenderFont,
  setVtFont,
  setFontLinedrawing,
  reportFontRouting,
];
