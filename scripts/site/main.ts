/**
 * Builds the web site from `docs/`, the README and the changelog, into `site/`.
 *   npm run site                          for a server that has it at /
 *   npm run site -- --base /homeport/     for one that has it below a path
 *   npm run site -- --into FOLDER         writes it elsewhere, into an empty folder or over an earlier site
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { publishSite, refusalOf } from './published-folder.ts';
import { stagePages } from './stage-pages.ts';

/**
 * Folder of the staged pages, ignored by git. It is in the repository, because VitePress looks for its packages from
 * there upwards.
 */
const STAGES = '.cache';
const BASE = /^\/([A-Za-z0-9._~-]+\/)*$/;
const BYTES_PER_MB = 1_000_000;

function refuse(reason: string): never {
  console.error(`site: ${reason}`);
  process.exit(64);
}

const { values, positionals } = parseArgs({
  options: { base: { type: 'string', default: '/' }, into: { type: 'string', default: 'site' } },
  allowPositionals: true,
});
if (positionals.length > 0) refuse(`unknown argument ${positionals[0]}: expected --base PATH or --into FOLDER`);
if (!BASE.test(values.base))
  refuse(`--base ${values.base}: expected a path with a slash at both ends, such as /homeport/`);
const refusal = refusalOf(values.into);
if (refusal !== undefined) refuse(`--into ${values.into}: ${refusal}`);

mkdirSync(STAGES, { recursive: true });
const stage = mkdtempSync(join(STAGES, 'site-'));
try {
  stagePages(stage);
  const built = resolve(stage, '.vitepress/dist');
  // VitePress empties its folder first, so a build that fails would leave nothing of the earlier site.
  await build(stage, { base: values.base, outDir: built });
  const { files, bytes } = publishSite(built, values.into);
  console.log(`${values.into}/: ${files} files, ${(bytes / BYTES_PER_MB).toFixed(1)} MB, for ${values.base}`);
} catch (error) {
  // VitePress has printed each dead link; our own errors contain the remedy.
  console.error(`site: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(stage, { recursive: true, force: true });
}
