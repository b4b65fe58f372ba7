import { expect, test } from 'vitest';
import { decisionsSidebar, mainSidebar } from '../../../../scripts/site/sidebar.ts';
import { sitePages } from '../../../../scripts/site/stage-pages.ts';

const pages = [...sitePages().values()].map((page) => page.replace(/\.md$/, ''));
const isDecision = (page: string): boolean => page.startsWith('decisions/') && page !== 'decisions/index';

/** `/guides/hub` -> `guides/hub`, `/decisions/` -> `decisions/index`. */
const pageOf = (link: string): string => link.slice(1).replace(/(^|\/)$/, '$1index');

test('the navigation has every page of the site once, and no other', () => {
  const listed = mainSidebar().flatMap(({ items }) => items.map(({ link }) => pageOf(link)));

  expect(listed.toSorted()).toEqual(pages.filter((page) => !isDecision(page)).toSorted());
});

test('decisions are listed beside each other, in the order of their pages', () => {
  const headings = decisionsSidebar([
    { page: 'decisions/0012-b', heading: '12. B' },
    { page: 'decisions/0002-a', heading: '2. A' },
  ]).flatMap(({ items }) => items.map(({ text }) => text));

  expect(headings).toEqual(['Overview', 'Subjects and numbers', '2. A', '12. B']);
});
