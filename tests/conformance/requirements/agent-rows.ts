import { readFileSync } from 'node:fs';
import { anchorOf, cellsOf, type PageRow, slugOf } from './page-rows.ts';

const PAGE = 'docs/specification/agent.md';

/** First heading of a table -> the part of the id that tells what its rows are about. A table with another one fails the reading. */
const kinds: Readonly<Record<string, string>> = {
  field: 'field',
  member: 'counter',
  point: 'point',
  method: 'endpoint',
  family: 'metrics',
  status: 'error',
  limit: 'limit',
};

/** Heading -> the part of the id of what its list says, entry by entry. */
const lists: Readonly<Record<string, string>> = {
  'What the service does': 'service',
  Metrics: 'rule',
  Authentication: 'authentication',
};

/** Every row of a table and every entry of a list, in the page's order. @throws Error for a table that is not known, and for two rows of one id */
export function readAgentRows(): PageRow[] {
  const rows: PageRow[] = [];
  let heading = '';
  let head: string[] | undefined;
  let entries = 0;
  for (const line of readFileSync(PAGE, 'utf8').split('\n')) {
    if (line.startsWith('#')) entries = 0;
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    const isInTable = line.startsWith('|');
    const list = lists[heading];
    if (list !== undefined && /^(-|\d+\.) /.test(line)) {
      entries += 1;
      rows.push({ id: `agent.${list}.${entries}`, spec: `agent#${anchorOf(heading)}` });
    }
    if (isInTable && head !== undefined && !line.startsWith('|---')) {
      rows.push({ id: idOf(head, cellsOf(line)), spec: `agent#${anchorOf(heading)}` });
    }
    head = isInTable ? (head ?? cellsOf(line)) : undefined;
  }
  const twice = rows.filter(({ id }, index) => rows.findIndex((row) => row.id === id) !== index);
  if (twice.length > 0) throw new Error(`${PAGE}: several rows are ${twice.map(({ id }) => id).join(', ')}`);
  return rows;
}

function idOf([first = '']: readonly string[], [name = '', path = '']: readonly string[]): string {
  const kind = kinds[first];
  if (kind === undefined) throw new Error(`${PAGE}: the table of "${first}" has no kind of requirement`);
  return `agent.${kind}.${slugOf(kind === 'endpoint' ? path : name)}`;
}
