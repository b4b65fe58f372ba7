import { type PageRow, slugOf } from './page-rows.ts';
import { readTablesAndLists, type TableRow } from './tables-and-lists.ts';

/** First heading of a table -> the part of the id that names the subject of its rows. */
const kinds: Readonly<Record<string, string>> = {
  field: 'field',
  member: 'counter',
  point: 'point',
  method: 'endpoint',
  family: 'metrics',
  status: 'error',
  limit: 'limit',
};

const lists: Readonly<Record<string, string>> = {
  'What the service does': 'service',
  Metrics: 'rule',
  Authentication: 'authentication',
};

/** Every row of the agent's page, in its order. */
export const readAgentRows = (): PageRow[] => readTablesAndLists({ page: 'agent', lists, nameOf });

function nameOf({ head: [first = ''], cells: [name = '', path = ''] }: TableRow): string | undefined {
  const kind = kinds[first];
  return kind && `${kind}.${slugOf(kind === 'endpoint' ? path : name)}`;
}
