import type { ToolOutcome } from './measurements.ts';

/** One message that a client sent to the MCP endpoint; never what was given to it. */
export interface CallRecord {
  /** When it was answered, milliseconds since 1970. */
  at: number;
  accountId: string;
  clientId: string;
  method: string;
  /** Null for other methods than a call of a tool. */
  tool: string | null;
  outcome: ToolOutcome;
  /** How long the request took. */
  ms: number;
}

/** Where calls are noted for owners. */
export interface CallRecords {
  add(record: Omit<CallRecord, 'at'>): void;
}
