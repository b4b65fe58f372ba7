/**
 * Makes what users install, below `release/`: without an argument the npm package, which has SQLite's addon for every kind of
 * machine; with `deb` the packages for Debian and Ubuntu of each processor.
 * It builds the addons anew, so it takes minutes.
 */
import { lockBuild } from '../build/lock-build.ts';
import { buildAddons, MACHINES, type Processor } from './addons.ts';
import { buildPackages } from './debian/build-packages.ts';
import { nodeParts } from './debian/node-parts.ts';
import { epochOf } from './debian/source-date.ts';
import { packForNpm, printSize } from './npm-package.ts';

const FOLDER = 'release';
const EXIT_USAGE = 64;

const [what = 'npm', ...others] = process.argv.slice(2);
if (!['npm', 'deb'].includes(what) || others.length > 0) {
  console.error(`release: unknown argument ${others[0] ?? what}: expected npm, deb or none`);
  process.exit(EXIT_USAGE);
}

// To the end, so that all files of the packages are of one build.
lockBuild();
await buildAddons();
if (what === 'npm') await packForNpm(FOLDER);
else {
  const epoch = await epochOf(process.env);
  for (const [at, processor] of (Object.keys(MACHINES) as Processor[]).entries()) {
    await using parts = await nodeParts(processor);
    for (const file of await buildPackages({ folder: FOLDER, processor, parts, epoch, isFurther: at > 0 }))
      printSize(file);
  }
}
