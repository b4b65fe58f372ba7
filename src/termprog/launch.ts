import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

// The built program's first file. V8's compiled form of the program, made at build time, lies beside it,
// so that a start compiles nothing. It is only read; no cache folder is written to.

/** File of the program without its ending; the build puts it in. */
declare const PROGRAM: string;

/** This file's folder. */
declare const __dirname: string;

/** Undefined when the build made no cache for this Node; then V8 compiles. */
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
const script = new Script(readFileSync(filename, 'latin1'), {
  filename,
  cachedData: codeCache(`${program}.${process.version}-${process.arch}.cache`),
});
script.runInThisContext()(createRequire(filename), pathToFileURL(filename).href);
