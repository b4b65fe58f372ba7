import type { Clock } from '../../kernel/clock.ts';
import { CALLS_KEPT_MS, HISTORY_LIMIT_MAX } from '../domain/limits.ts';
import type { CallRecord } from '../ports/call-records.ts';
import type { CallStore } from '../ports/call-store.ts';
import { newId } from '../random.ts';
import type { Database } from './database.ts';

interface CallRow {
  row: number | string;
  log_id: string;
  account_id: string;
  client_id: string;
  method: string;
  tool: string | null;
  outcome: CallRecord['outcome'];
  ms: number | string;
  at: number | string;
}

/**
 * Each store has a log of its own, also where several are of one process.
 * @param readers see `OpenDatabase`
 */
export function createCallStore(database: Database, readers: Database, clock: Pick<Clock, 'now'>): CallStore {
  const logId = newId('log');
  return {
    add: (records) =>
      database.transaction(async (transaction) => {
        const calls = () => transaction<CallRow>('calls');
        if (records.length > 0) await calls().insert(records.map((record) => rowOf(logId, record)));
        const [newestToo] = await calls()
          .where('log_id', logId)
          .orderBy('row', 'desc')
          .offset(HISTORY_LIMIT_MAX)
          .limit(1)
          .select('row');
        if (newestToo !== undefined) await calls().where('log_id', logId).where('row', '<=', newestToo.row).delete();
      }),
    newestOfOthers: async (limit, since) => {
      const rows = await readers<CallRow>('calls')
        .whereNot('log_id', logId)
        .where('at', '>=', since)
        .orderBy([
          { column: 'at', order: 'desc' },
          { column: 'row', order: 'desc' },
        ])
        .limit(limit);
      return rows.map(recordOf);
    },
    removeEnded: (limit) => {
      const ended = database('calls')
        .where('at', '<', clock.now() - CALLS_KEPT_MS)
        .limit(limit)
        .select('row');
      return database('calls').whereIn('row', ended).delete();
    },
  };
}

const rowOf = (logId: string, { accountId, clientId, method, tool, outcome, ms, at }: CallRecord) => ({
  ...{ log_id: logId, account_id: accountId, client_id: clientId },
  ...{ method, tool, outcome, ms, at },
});

const recordOf = ({ account_id, client_id, method, tool, outcome, ms, at }: CallRow): CallRecord => ({
  ...{ accountId: account_id, clientId: client_id },
  ...{ method, tool, outcome, ms: Number(ms), at: Number(at) },
});
