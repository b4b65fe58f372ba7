import { expect, test } from 'vitest';
import { nameRows, rowsAsParts } from '../../../../scripts/site/reference-rows.ts';

const row = (cell: string) => [token('tr_open'), token('td_open'), token('inline', cell)];

test('a row that names an option has an anchor by the heading above it, once for each name', () => {
  const tokens = [
    token('heading_open', '', { id: 'homeport-agent' }),
    ...row('`listen.port`'),
    ...row('`listen.port`'),
    ...row('two `words`'),
  ];
  nameRows(tokens);

  expect(tokens.filter(({ type }) => type === 'tr_open').map(({ attributes }) => attributes['id'])).toEqual([
    'homeport-agent-listen.port',
    undefined,
    undefined,
  ]);
});

test('each cell of such a row has the head of its column', () => {
  const tokens = [
    ...[token('thead_open'), token('th_open'), token('inline', 'option'), token('th_open'), token('inline', 'type')],
    ...row('`listen.port`'),
    ...[token('td_open'), token('inline', 'a port'), token('tr_close'), token('td_open')],
  ];
  nameRows(tokens);

  expect(tokens.filter(({ type }) => type === 'td_open').map(({ attributes }) => attributes['data-head'])).toEqual([
    'option',
    'type',
    undefined,
  ]);
});

test('the search has a part for each row with an anchor', () => {
  expect(rowsAsParts('<tr id="a-b">\n<td><code>b</code></td><td>text</td></tr>')).toBe(
    '<h6><code>b</code><a href="#a-b">#</a></h6><td>text</td></tr>',
  );
});

/** Makes a token as markdown-it does. */
function token(type: string, content = '', attributes: Record<string, string> = {}) {
  return {
    type,
    content,
    attributes,
    attrGet: (name: string) => attributes[name] ?? null,
    attrSet: (name: string, value: string) => {
      attributes[name] = value;
    },
  };
}
