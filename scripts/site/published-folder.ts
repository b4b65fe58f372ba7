/** The folder that a web server shows: which of its files are the site's, and how a new site takes the place of an old one. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** File of a built site with the names of all its files, one per line. Files that are not in it belong to the folder's owner. */
const LIST = 'site-files.txt';

/** Why a site may not be put into a folder; undefined if it may. */
export function refusalOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return 'expected a folder, which may be missing';
  if (existsSync(join(folder, LIST)) || readdirSync(folder).length === 0) return undefined;
  return `expected an empty folder or an earlier site, found files without ${LIST}: name another folder, or remove what is in it`;
}

/** Size of a site. */
export interface Published {
  files: number;
  bytes: number;
}

/**
 * Copies a built site into a folder, then removes the files of the earlier site that the new one lacks. A server has
 * every page meanwhile, and files that the owner has added stay.
 */
export function publishSite(built: string, folder: string): Published {
  const files = filesIn(built);
  const earlier = existsSync(join(folder, LIST)) ? readFileSync(join(folder, LIST), 'utf8').split('\n') : [];
  writeFileSync(join(built, LIST), `${files.join('\n')}\n`);
  cpSync(built, folder, { recursive: true });
  const present = new Set(files);
  for (const name of earlier) {
    if (name !== '' && !present.has(name) && !name.split('/').includes('..'))
      rmSync(join(folder, name), { force: true });
  }
  return { files: files.length, bytes: files.reduce((sum, name) => sum + statSync(join(built, name)).size, 0) };
}

/** Names of all files below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}
