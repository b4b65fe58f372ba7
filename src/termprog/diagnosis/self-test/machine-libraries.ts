import { messageOf } from '../../../kernel/errors.ts';
import { loadOutlineLibraries } from '../../fonts/outline/libraries.ts';
import { loadOutlineFonts } from '../../fonts/outline/outline-fonts.ts';
import { loadKoffi } from '../../native/load-koffi.ts';
import { NATIVE_LIBRARIES } from '../../native-libraries.ts';
import { loadLibc } from '../../pty/libc.ts';
import { type Check, missing, ok } from './check.ts';

/** The cost of missing outline fonts. */
const BITMAP_ONLY = 'text is drawn in bitmap fonts alone';

const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? '';

/** Calls functions of libraries; the terminal can't run without it. */
const koffi: Check = {
  name: 'koffi',
  look: () => {
    loadKoffi();
    return ok('calls libraries of the system');
  },
};

const libc: Check = {
  name: 'C library',
  look: () => {
    loadLibc();
    return ok('has what pseudo-terminals need');
  },
};

/** Returns the check of a library that outline fonts require. */
function fontLibrary(name: string, file: string, use: string): Check {
  return {
    name,
    look: () => {
      try {
        loadKoffi().load(file);
        return ok(`${file}: ${use}`);
      } catch (error) {
        return missing(`${file} can't be loaded (${firstLine(error)})`, BITMAP_ONLY);
      }
    },
  };
}

/** Draws a glyph whose look is known, and reads fontconfig's configuration. */
const outlineFonts: Check = {
  name: 'outline fonts',
  look: () => {
    try {
      loadOutlineFonts();
      return ok('FreeType draws what it should, and fontconfig has its configuration');
    } catch (error) {
      return missing(firstLine(error), BITMAP_ONLY);
    }
  },
};

const harfbuzz: Check = {
  name: 'HarfBuzz',
  look: () => {
    let reason: string | undefined;
    const cost = 'clusters such as joined emoji are drawn character by character';
    try {
      const libraries = loadOutlineLibraries(NATIVE_LIBRARIES, {
        warning: (line) => {
          reason = line;
        },
      });
      if (libraries.harfbuzz() !== undefined) return ok(`${NATIVE_LIBRARIES.harfbuzz}: places the glyphs of clusters`);
    } catch (error) {
      reason = firstLine(error);
    }
    return missing(`${NATIVE_LIBRARIES.harfbuzz} can't be used (${reason ?? 'unknown'})`, cost);
  },
};

/** Libraries of the machine. */
export const libraries: readonly Check[] = [
  koffi,
  libc,
  fontLibrary('FreeType', NATIVE_LIBRARIES.freetype, 'draws the glyphs of outline fonts'),
  fontLibrary('fontconfig', NATIVE_LIBRARIES.fontconfig, 'finds outline fonts'),
  outlineFonts,
  harfbuzz,
];
