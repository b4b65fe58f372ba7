import type { ToolOutcome } from './measurements.ts';

/** Record of one message that a client sent to the MCP endpoint, without its arguments. */
export interface CallRecord {
  /** Time of the answer, milliseconds since 1970. */
  at: number;
  accountId: string;
  clientId: string;
  method: string;
  /** Name of the called tool; null for other methods. */
  tool: string | null;
  outcome: ToolOutcome;
  /** Duration of the request, in milliseconds. */
  ms: number;
}

/** Stores records of calls for owners. */
export interface CallRecords {
  add(record: Omit<CallRecord, 'at'>): void;
}
