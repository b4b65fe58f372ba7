import { messageOf } from '../../../kernel/errors.ts';
import type { Diagnostics } from '../../diagnostics.ts';
import { OutlineFontsUnavailableError } from '../../errors.ts';
import { NATIVE_LIBRARIES, type NativeLibraries } from '../../native-libraries.ts';
import { loadOutlineLibraries, type OutlineLibraries } from './libraries.ts';
import type { OutlineEnvironment } from './open-face.ts';
import { type OpenFaceSource, openFaceSource } from './open-face-source.ts';
import { checkDrawing } from './self-check.ts';
import type { ScreenDefaults } from './xft-defaults.ts';

/** The outline fonts of this machine. */
export interface OutlineFonts {
  openSource(screen: ScreenDefaults): OpenFaceSource;
}

/** Discards warnings. */
const SILENT = { warning: () => {} };

/** The first FreeType version with colour layers. */
const FREETYPE_LEAST = [2, 10] as const;

/**
 * Loads fontconfig and FreeType, and checks that FreeType draws a known glyph correctly. Call it once per process.
 * @throws OutlineFontsUnavailableError when a library is missing or too old, or draws something else
 */
export function loadOutlineFonts(
  names: NativeLibraries = NATIVE_LIBRARIES,
  diagnostics: Pick<Diagnostics, 'warning'> = SILENT,
): OutlineFonts {
  const libraries = loadOutlineLibraries(names, diagnostics);
  try {
    const environment = startFreeType(libraries);
    checkDrawing(environment);
    if (libraries.fontconfig.init() === 0) {
      throw new OutlineFontsUnavailableError("fontconfig can't read its configuration");
    }
    return { openSource: (screen) => openFaceSource(environment, screen) };
  } catch (error) {
    if (error instanceof OutlineFontsUnavailableError) throw error;
    // The library has the right name but other functions.
    throw new OutlineFontsUnavailableError(`${names.freetype} or ${names.fontconfig}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function startFreeType(libraries: OutlineLibraries): OutlineEnvironment {
  const address = new BigUint64Array(1);
  const error = libraries.freetype.init(address);
  if (error !== 0) throw new OutlineFontsUnavailableError(`FreeType can't be started (error ${error})`);
  const freetypeLibrary = Number(address[0]);
  const version = [new Int32Array(1), new Int32Array(1), new Int32Array(1)] as const;
  libraries.freetype.version(freetypeLibrary, ...version);
  const [major = 0, minor = 0] = version.map(([number]) => number ?? 0);
  const [leastMajor, leastMinor] = FREETYPE_LEAST;
  if (major !== leastMajor || minor < leastMinor) {
    throw new OutlineFontsUnavailableError(
      `FreeType ${major}.${minor} is not usable, it has to be 2 and at least ${FREETYPE_LEAST.join('.')}`,
    );
  }
  return { libraries, freetypeLibrary };
}
