/**
 * Bundles the three programs and the client for hubs with its types into `dist/`, with the notices and the bill of materials
 * of each program, and with the connector's addon where set-up has built it.
 * With `--programs` it builds only the programs, which needs no TypeScript compiler.
 */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { buildProgram, buildWhole } from './build-program.ts';
import { bundleOptions } from './bundle-options.ts';
import { writeLicences } from './licences/write-licences.ts';
import { lockBuild } from './lock-build.ts';
import { programs } from './programs.ts';
import { copyBuiltAddon } from './sqlite-addon.ts';

/** Deadline for the declarations of one module, which take the compiler well under a second. */
const TYPES_DEADLINE_MS = 60_000;

/** This file exists, with the time at which the build began, when `dist/` holds a whole build. */
const STAMP = 'dist/.stamp';

lockBuild();
rmSync(STAMP, { force: true });
const began = new Date();
await Promise.all(programs.map(buildProgram));
await Promise.all(programs.map(writeLicences));
copyBuiltAddon();
if (!process.argv.includes('--programs')) {
  await buildWhole({
    ...bundleOptions,
    entryPoints: ['src/report-client/index.ts'],
    outfile: 'dist/report.mjs',
    // The types import it too.
    external: ['zod'],
    format: 'esm',
  });
  await execa('tsc', ['-p', 'scripts/build/report-types.json'], { preferLocal: true, timeout: TYPES_DEADLINE_MS });
  writeFileSync(STAMP, '');
  utimesSync(STAMP, began, began);
}
