import { OutlineFontsUnavailableError } from '../../errors.ts';
import { NATIVE_LIBRARIES, type NativeLibraries } from '../../native-libraries.ts';
import { loadOutlineLibraries } from './libraries.ts';
import type { OutlineEnvironment } from './open-face.ts';
import { type OpenFaceSource, openFaceSource } from './open-face-source.ts';
import { checkDrawing } from './self-check.ts';
import type { ScreenDefaults } from './xft-defaults.ts';

/** The outline fonts of this machine. */
export interface OutlineFonts {
  openSource(screen: ScreenDefaults): OpenFaceSource;
}

/**
 * Loads fontconfig and FreeType, and sees that FreeType draws what it should. They are needed once in a process.
 * @throws OutlineFontsUnavailableError when a library is missing, or draws something else
 */
export function loadOutlineFonts(names: NativeLibraries = NATIVE_LIBRARIES): OutlineFonts {
  const libraries = loadOutlineLibraries(names);
  const address = new BigUint64Array(1);
  const error = libraries.freetype.init(address);
  if (error !== 0) throw new OutlineFontsUnavailableError(`FreeType can't be started (error ${error})`);
  const environment: OutlineEnvironment = { libraries, freetypeLibrary: Number(address[0]) };
  checkDrawing(environment);
  if (libraries.fontconfig.init() === 0) {
    throw new OutlineFontsUnavailableError("fontconfig can't read its configuration");
  }
  return { openSource: (screen) => openFaceSource(environment, screen) };
}
