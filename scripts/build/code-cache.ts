/**
 * node --predictable code-cache.ts PROGRAM
 * Compiles all functions of PROGRAM.js, and writes V8's compiled code to PROGRAM.VERSION-ARCH.cache.
 *
 * Two builds give the same bytes: the set of functions does not depend on the timing of a run, and with
 * `--predictable` V8 hashes strings by a fixed seed. V8 itself accepts such a cache in a process without that flag.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const [, , program = ''] = process.argv;
const filename = `${program}.js`;

setFlagsFromString('--no-lazy');
const script = new Script(readFileSync(filename, 'latin1'), { filename });
// V8 compares the flags with those of the process that uses the cache.
setFlagsFromString('--lazy');

const cache = `${program}.${process.version}-${process.arch}.cache`;
writeFileSync(`${cache}.new`, script.createCachedData());
renameSync(`${cache}.new`, cache);
