import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const anchors: Record<string, Set<string>> = {
  connector: anchorsOf('connector'),
  agent: anchorsOf('agent'),
  termprog: anchorsOf('termprog'),
};

test('every @spec tag names a heading of the specification', () => {
  const dead = sourceFiles('src', 'schemas', 'scripts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/@spec ([a-z]+)#([a-z0-9_-]+)/g)]
      .filter(([, page = '', anchor = '']) => anchors[page]?.has(anchor) !== true)
      .map(([tag]) => `${file}: ${tag}`),
  );
  expect(dead).toEqual([]);
});

test('every decision that a comment names is in the table of decisions', () => {
  const table = readFileSync('docs/decisions/README.md', 'utf8');
  const numbers = new Set([...table.matchAll(/^\| \[(\d+)\]\(/gm)].map(([, number]) => number));
  const dead = sourceFiles('src', 'schemas', 'scripts', 'modules').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdecisions? (\d+(?:, \d+)*)/gi)].flatMap(([, list = '']) =>
      list
        .split(', ')
        .filter((number) => !numbers.has(String(Number(number))))
        .map((number) => `${file}: decision ${number}`),
    ),
  );
  expect(numbers.size).toBeGreaterThan(100);
  expect(dead).toEqual([]);
});

test('links between the pages of the documentation lead somewhere', () => {
  const pages = new Set(sourceFiles('.'));
  const dead = sourceFiles('docs', 'README.md', 'CONTRIBUTING.md')
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(
        ([, target = '']) => {
          const path = new URL(target, `file:///${file}`).pathname.slice(1);
          return pages.has(path) || [...pages].some((page) => page.startsWith(`${path.replace(/\/$/, '')}/`))
            ? []
            : [`${file}: ${target}`];
        },
      ),
    );
  expect(dead).toEqual([]);
});

/** Heading -> anchor as renderers of Markdown make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`()/,.:]/g, '')
    .trim()
    .replace(/ /g, '-');
}

function anchorsOf(page: string): Set<string> {
  const text = readFileSync(`docs/specification/${page}.md`, 'utf8');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}
