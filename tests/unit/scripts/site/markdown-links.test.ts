import { expect, test } from 'vitest';
import { anchorOf, localLinksOf, replaceLinks } from '../../../../scripts/site/markdown-links.ts';

test('links and pictures of a page are found by where they lead, from wherever the page is', () => {
  const page = 'See [one](../options.md#homeport-agent), ![a picture](../images/a.png), [a folder](../decisions/).';

  expect(localLinksOf('docs/guides/hub.md', page)).toEqual([
    { written: '../options.md#homeport-agent', target: 'docs/options.md', anchor: 'homeport-agent' },
    { written: '../images/a.png', target: 'docs/images/a.png', anchor: undefined },
    { written: '../decisions/', target: 'docs/decisions', anchor: undefined },
  ]);
});

test('a link that leads to no file beside the page is left as it is', () => {
  const page = '[a host](https://example.org/a.md), [below](#there), `[code](a.md)`\n\n```md\n[block](a.md)\n```\n';

  expect(localLinksOf('README.md', page)).toEqual([]);
  expect(replaceLinks('README.md', page, () => 'elsewhere')).toBe(page);
});

test('a link after a block of code is found', () => {
  expect(localLinksOf('README.md', '```sh\ntrue\n```\n\n[a](b.md)\n')).toHaveLength(1);
});

test('headings have the anchors that web pages of repositories give them', () => {
  expect(anchorOf("Does the bus know the agent's account?")).toBe('does-the-bus-know-the-agents-account');
  expect(anchorOf('homeport-connector: `run`')).toBe('homeport-connector-run');
});
