/**
 * node --predictable code-cache.ts PROGRAM NAMES
 * Compiles the functions of PROGRAM.js that a start runs, by their names in the JSON file NAMES, and writes V8's
 * compiled code to PROGRAM.VERSION-ARCH.cache. All others V8 compiles when they are first called.
 *
 * Two builds give the same bytes: the set of functions does not depend on the timing of a run, and with
 * `--predictable` V8 hashes strings by a fixed seed. V8 itself accepts such a cache in a process without that flag.
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { Script } from 'node:vm';
import { compileFunctions } from './compile-functions.ts';
import { startFunctions } from './start-functions.ts';
import { writeWhole } from './write-whole.ts';

const [, , program = '', names = ''] = process.argv;
const filename = `${program}.js`;
const text = readFileSync(filename, 'latin1');
const script = new Script(text, { filename });
// The script's value is a function, which is not called. V8 reports a script to debuggers only after it has run.
script.runInThisContext();

const session = new Session();
session.connect();
const listed = JSON.parse(readFileSync(names, 'utf8')) as readonly string[];
compileFunctions(session, { filename, text }, startFunctions(text, listed));
session.disconnect();

writeWhole(`${program}.${process.version}-${process.arch}.cache`, script.createCachedData());
