/** Reference pages: each row of their tables has its name in code in the first cell. */
const REFERENCE = /^(options|errors)\.md$/;

/** The used part of a token of markdown-it. */
interface Token {
  type: string;
  content: string;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

export const isReference = (page: string): boolean => REFERENCE.test(page);

/**
 * Gives each row of a reference an anchor, by the heading above it and its name, so that a link may lead to one option; and
 * each of its cells the head of its column, which the style sheet shows beside it.
 */
export function nameRows(tokens: readonly Token[]): void {
  let heading = '';
  let heads: string[] = [];
  const seen = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') heading = token.attrGet('id') ?? '';
    if (token.type === 'thead_open') heads = [];
    if (token.type === 'th_open') heads.push(tokens[index + 1]?.content ?? '');
    if (token.type !== 'tr_open') continue;
    const name = /^`([^`]+)`$/.exec(tokens[index + 2]?.content ?? '')?.[1];
    const id = `${heading}-${name?.replace(/[^\w.*-]/g, '-')}`;
    if (name === undefined || seen.has(id)) continue;
    seen.add(id);
    token.attrSet('id', id);
    labelCells(tokens.slice(index), heads);
  }
}

/** @param row tokens from the beginning of the row on */
function labelCells(row: readonly Token[], heads: readonly string[]): void {
  const end = row.findIndex(({ type }) => type === 'tr_close');
  const cells = row.slice(0, end === -1 ? row.length : end).filter(({ type }) => type === 'td_open');
  for (const [column, cell] of cells.entries()) cell.attrSet('data-head', heads[column] ?? '');
}

const NAMED_ROW = /<tr id="([^"]+)">\s*<td[^>]*>([\s\S]*?)<\/td>/g;

/** The page as the search indexes it: each named row is a part of its own, under the name as heading. */
export const rowsAsParts = (html: string): string =>
  html.replace(NAMED_ROW, (_row, id: string, name: string) => `<h6>${name}<a href="#${id}">#</a></h6>`);
