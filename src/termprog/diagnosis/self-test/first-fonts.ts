import { openCoreFont, quoteFontName } from '../../fonts/core-font.ts';
import { openConfiguredSlot } from '../configured-slot.ts';
import { type Check, failed, missing, ok } from './check.ts';

/** The font that every X server has. */
const LAST_RESORT = 'fixed';

/** The bitmap font of the Default entry. */
export const bitmapFont: Check = {
  name: 'bitmap font',
  look: async (context) => {
    const [display, { reader }] = await Promise.all([context.display, context.configuration]);
    const name = reader.required('font');
    const font = await openCoreFont(display, name);
    if (font !== undefined) {
      return ok(`${quoteFontName(name)}, cells of ${font.cellWidth}x${font.ascent + font.descent} pixels`);
    }
    if ((await openCoreFont(display, LAST_RESORT)) === undefined) {
      return failed(`the X server has neither ${quoteFontName(name)} nor ${quoteFontName(LAST_RESORT)}`);
    }
    return missing(`the X server has no ${quoteFontName(name)}`, `${quoteFontName(LAST_RESORT)} is used instead`);
  },
};

/** The font of a terminal that starts now. */
export const startingFont: Check = {
  name: 'font at the start',
  look: async (context) => {
    const [display, configuration] = await Promise.all([context.display, context.configuration]);
    const { slot, wantsOutline, problems } = await openConfiguredSlot(display, configuration);
    const { kind, cell } = slot.fonts;
    slot.close();
    const cells = `cells of ${cell.width}x${cell.height} pixels`;
    if (wantsOutline && kind === 'bitmap') return missing(problems.join('; '), `bitmap fonts are used, ${cells}`);
    const notes = problems.length === 0 ? '' : `; ${problems.join('; ')}`;
    return ok(`${kind === 'outline' ? 'an outline font' : 'a bitmap font'}, ${cells}${notes}`);
  },
};
