import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

// The built program's first file. What V8 made of the program when it was built lies beside it,
// so that starting it compiles nothing.

/** File of the program without its ending; the build puts it in. */
declare const PROGRAM: string;

/** This file's folder, in whichever form of module the build makes it. */
declare const __dirname: string;

/** Undefined where there is none: then V8 compiles, as it does when another V8 made it. */
function codeCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const program = `${__dirname}/${PROGRAM}`;
const filename = `${program}.js`;
// The build writes nothing but ASCII, which is read fastest this way.
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: codeCache(`${program}.cache`) });
script.runInThisContext()(createRequire(filename));
