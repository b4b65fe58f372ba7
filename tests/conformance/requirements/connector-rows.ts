import { type PageRow, slugOf } from './page-rows.ts';
import { readTablesAndLists, type TableRow } from './tables-and-lists.ts';

/** First heading of a table -> the part of the id that names the subject of its rows. */
const kinds: Readonly<Record<string, string>> = {
  state: 'state',
  tool: 'tool',
  parameter: 'parameter',
  lifetime: 'lifetime',
  answer: 'invitation',
  rule: 'event',
  'delivery bound': 'delivery',
  status: 'error',
  'JSON-RPC code': 'code',
  limit: 'limit',
};

/** Section -> part of the id, for the tables that begin alike. */
const kindsBySection: Readonly<Record<string, string>> = {
  'Human account': 'account',
  'Agent session (mailbox)': 'session',
  'Activity entry': 'entry',
  'Outgoing message': 'message',
  'Account information result (`see_account_information`)': 'information',
  '`GET /v1/status` result': 'status',
  'Discovery and service endpoints': 'endpoint',
  'OAuth endpoints': 'endpoint',
  'MCP event methods (at `/mcp`, authenticated)': 'method',
  'REST IRC endpoints': 'endpoint',
  'Owner invitation': 'invitation',
  'Browser pages': 'endpoint',
};

const lists: Readonly<Record<string, string>> = {
  'What the service does': 'service',
  Authentication: 'authentication',
  Versioning: 'version',
};

/** Every row of the connector's page, in its order. */
export const readConnectorRows = (): PageRow[] => readTablesAndLists({ page: 'connector', lists, nameOf });

function nameOf(row: TableRow): string | undefined {
  const kind = kinds[row.head[0] ?? ''] ?? kindsBySection[row.section];
  return kind && `${kind}.${slugOf(wordsIn(kind, row))}`;
}

/** Returns the words that identify a row in its table. */
function wordsIn(kind: string, { head, cells }: TableRow): string {
  const [first = '', second = ''] = cells;
  if (kind === 'state') return `${first} to ${cells[head.indexOf('next state')]}`.replaceAll('`', '');
  if (kind !== 'endpoint') return first;
  const [, path = ''] = /`([^`]+)`/.exec(second) ?? [];
  return `${first} ${path}`;
}
