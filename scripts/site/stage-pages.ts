/** Makes the folder that VitePress reads: pages whose links lead to places of the site, pictures, and files to download. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { type LocalLink, replaceLinks } from './markdown-links.ts';

/** Pages outside of `docs/` that are in the site -> their names there. */
const FURTHER_PAGES: Readonly<Record<string, string>> = { 'README.md': 'try-it.md', 'CHANGELOG.md': 'changelog.md' };

/** Folder in the site for files that pages link to: dashboards, rules, examples. */
const DOWNLOADS = 'files';

/** Files of the repository that pages may link to as downloads; all others are not in the site. */
const DOWNLOADABLE = /^(share|modules|schemas\/json)\/|^LICENSE$/;

/** Path in the repository -> path in the site. */
function pageInSite(file: string): string | undefined {
  if (file in FURTHER_PAGES) return FURTHER_PAGES[file];
  if (!file.startsWith('docs/') || !file.endsWith('.md')) return undefined;
  return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The pages of the site: path in the repository -> path in the site. */
export function sitePages(): Map<string, string> {
  const listed = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => posix.join('docs', name));
  return new Map(
    [...listed, ...Object.keys(FURTHER_PAGES)].sort().flatMap((file): [string, string][] => {
      const page = pageInSite(file);
      return page === undefined ? [] : [[file, page]];
    }),
  );
}

/** Path in the site of what a link leads to; undefined when the site does not have it. */
function placeInSite({ target }: LocalLink, pages: ReadonlyMap<string, string>): string | undefined {
  const page = pages.get(target) ?? pages.get(`${target}/README.md`);
  if (page !== undefined) return page;
  if (!isFile(target)) return undefined;
  if (target.startsWith('docs/images/')) return target.slice('docs/'.length);
  // A browser shows a file that ends in .txt; without an ending VitePress would take it for a page.
  const shown = posix.extname(target) === '' ? `${target}.txt` : target;
  return DOWNLOADABLE.test(target) ? `${DOWNLOADS}/${shown}` : undefined;
}

/** Fills an empty folder. Throws with every link that leads nowhere in the site. */
export function stagePages(folder: string): void {
  const pages = sitePages();
  const dead: string[] = [];
  for (const [file, page] of pages) {
    const text = replaceLinks(file, readFileSync(file, 'utf8'), (link) => {
      const place = placeInSite(link, pages);
      if (place === undefined) {
        dead.push(`${file}: ${link.written}`);
        return undefined;
      }
      if (!place.endsWith('.md')) return copyInto(folder, link.target, place);
      const path = posix.relative(posix.dirname(page), place);
      return `${path.startsWith('.') ? path : `./${path}`}${link.anchor === undefined ? '' : `#${link.anchor}`}`;
    });
    const to = join(folder, page);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
  if (dead.length > 0)
    throw new Error(
      `links that lead to no page, picture or file of the site:\n  ${dead.join('\n  ')}\nwrite the name of a file that only the repository has as code, without a link`,
    );
  writeSettings(folder);
}

/** Pictures and downloads are copied as they are. @returns the address below the base */
function copyInto(folder: string, file: string, place: string): string {
  const to = join(folder, 'public', place);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(file, to);
  return `/${place}`;
}

/** VitePress wants its settings and its theme in the folder of the pages. */
function writeSettings(folder: string): void {
  const here = JSON.stringify(resolve('scripts/site')).slice(1, -1);
  mkdirSync(join(folder, '.vitepress/theme'), { recursive: true });
  mkdirSync(join(folder, 'public'), { recursive: true });
  cpSync('scripts/site/theme/icon.svg', join(folder, 'public/icon.svg'));
  writeFileSync(
    join(folder, '.vitepress/config.mjs'),
    `export { siteSettings as default } from '${here}/site-settings.ts';\n`,
  );
  writeFileSync(
    join(folder, '.vitepress/theme/index.mjs'),
    `import theme from 'vitepress/theme-without-fonts';\nimport '${here}/theme/style.css';\nexport default theme;\n`,
  );
}
