/** The settings of VitePress for the folder that `stage-pages.ts` makes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig, type UserConfig } from 'vitepress';
import { policyOf } from './content-security-policy.ts';
import { anchorOf } from './markdown-links.ts';
import { isReference, nameRows, rowsAsParts } from './reference-rows.ts';
import { DECISIONS, decisionsSidebar, mainSidebar } from './sidebar.ts';
import { sitePages } from './stage-pages.ts';

/** Colours of code are classes in this file: a strict Content-Security-Policy refuses style attributes. */
const CODE_COLORS = 'code-colors.css';

const codeColors = transformerStyleToClass({ classPrefix: 'code-' });

/**
 * Style attributes, which the policy refuses. Their first values are in the style sheet; scripts set them later as
 * properties.
 */
const STYLE_ATTRIBUTE = /(<[a-z][^<>]*?) style="[^"]*"/g;

/** The index of the search is one file of about 800 KB, which is fetched at the first search. */
const CHUNK_KB_MAX = 2_000;

const headingOf = (file: string): string => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file;

const decisions = [...sitePages()]
  .filter(([, page]) => page.startsWith(DECISIONS) && !page.endsWith('index.md'))
  .map(([file, page]) => ({ page: page.replace(/\.md$/, ''), heading: headingOf(file) }));

export const siteSettings: UserConfig = defineConfig({
  title: 'Homeport',
  description:
    'An IRC connector for AI agents, a host report agent and an X11 terminal, configured by one set of schemas',
  lang: 'en',
  cacheDir: '.vitepress/cache',
  metaChunk: true,
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify: anchorOf },
    // Both themes have enough contrast for small text.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [codeColors],
    // Language that the highlighter does not know -> the nearest one that it knows.
    languageAlias: { caddyfile: 'nginx', tmux: 'ini', ssh: 'ini', xresources: 'ini' },
    config: (markdown) => {
      markdown.core.ruler.push('aligned-cells', ({ tokens }) => {
        for (const token of tokens) {
          const style = token.attrGet('style');
          const alignment = style === null ? undefined : /text-align:\s*(\w+)/.exec(style)?.[1];
          if (alignment === undefined) continue;
          token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
          token.attrJoin('class', `align-${alignment}`);
        }
      });
      markdown.core.ruler.push('named-rows', ({ tokens, env }) => {
        if (isReference(env.relativePath ?? '')) nameRows(tokens);
      });
      // A table that is wider than a phone scrolls in a frame of its own, which also takes the focus for keys.
      markdown.renderer.rules['table_open'] = () =>
        '<div class="table-frame" tabindex="0" role="region" aria-label="table"><table>\n';
      markdown.renderer.rules['table_close'] = () => '</table></div>\n';
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Install', link: '/guides/package' },
      { text: 'Reference', link: '/options' },
      { text: 'Decisions', link: `/${DECISIONS}` },
    ],
    sidebar: { [`/${DECISIONS}`]: decisionsSidebar(decisions), '/': mainSidebar() },
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        _render: (source, env, markdown) => {
          const html = markdown.render(source, env);
          return isReference(env.relativePath ?? '') ? rowsAsParts(html) : html;
        },
      },
    },
    docFooter: { prev: 'Previous', next: 'Next' },
    externalLinkIcon: true,
  },
  transformHead: ({ siteData }) => [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${siteData.base}icon.svg` }],
    ['link', { rel: 'stylesheet', href: `${siteData.base}${CODE_COLORS}` }],
  ],
  transformHtml: (html) => {
    const plain = html.replace(STYLE_ATTRIBUTE, '$1');
    return plain.replace('<head>', `<head>\n    ${policyOf(plain)}`);
  },
  vite: { build: { chunkSizeWarningLimit: CHUNK_KB_MAX } },
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, CODE_COLORS), codeColors.getCSS()),
});
