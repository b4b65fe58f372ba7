import { posix } from 'node:path';

/**
 * A link or picture of a Markdown page to another file of the repository; not an address with a scheme, nor a heading
 * of the same page.
 */
export interface LocalLink {
  /** The link's address as the page writes it. */
  written: string;
  /** Path from the root of the repository, without a slash at the end. */
  target: string;
  /** Heading of the target, without `#`; undefined for the whole page. */
  anchor: string | undefined;
}

/** Fenced blocks and inline code, which have no links, or the address of a link. */
const CODE_OR_LINK = /^(`{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$|(`+)[^`\n]*\2|\]\((?![a-z]+:|#)([^)\s]+)\)/gm;

/**
 * Heading -> anchor, by the rule of the web pages of repositories: small letters, digits, underscores and hyphens stay,
 * and blanks become hyphens.
 */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the page with the addresses of local links that `change` returns; undefined leaves an address unchanged. */
export function replaceLinks(page: string, text: string, change: (link: LocalLink) => string | undefined): string {
  return text.replace(CODE_OR_LINK, (whole: string, _fence: unknown, _code: unknown, written: string | undefined) => {
    if (written === undefined) return whole;
    const [path = '', anchor] = written.split('#', 2);
    const target = posix.join(posix.dirname(page), path).replace(/\/$/, '');
    const changed = change({ written, target, anchor });
    return changed === undefined ? whole : `](${changed})`;
  });
}

/** The local links of a page. */
export function localLinksOf(page: string, text: string): LocalLink[] {
  const links: LocalLink[] = [];
  replaceLinks(page, text, (link) => {
    links.push(link);
    return undefined;
  });
  return links;
}
