import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

// The built program's first file. V8's compiled form of the program, created by the build, lies beside it, so that a
// start compiles no code. It is only read; no cache folder is written.

/** File of the program without its ending; the build inserts it. */
declare const PROGRAM: string;

/** This file's folder. */
declare const __dirname: string;

/** Undefined when the build has no cache for this Node version; then V8 compiles. */
function codeCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // The build has no such file.
    return undefined;
  }
}

const program = `${__dirname}/${PROGRAM}`;
const filename = `${program}.js`;
// The build writes only ASCII, which is read fastest this way.
const script = new Script(readFileSync(filename, 'latin1'), {
  filename,
  cachedData: codeCache(`${program}.${process.version}-${process.arch}.cache`),
});
script.runInThisContext()(createRequire(filename), pathToFileURL(filename).href);
