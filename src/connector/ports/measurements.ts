import type { EntryKind } from '../domain/entry.ts';
import type { MessageStatus } from '../domain/outgoing-message.ts';
import type { AttemptOutcome, CallbackFailure } from './callbacks.ts';

/** Result of a tool call: as requested, refused with a reason, or failed by our fault. */
export type ToolOutcome = 'ok' | 'refused' | 'failed';

/** The program's counters about itself. */
export interface Measurements {
  captured(kind: EntryKind): void;
  sent(status: MessageStatus, lineCount: number): void;
  toolCalled(tool: string, outcome: ToolOutcome, seconds: number): void;
  statementRun(statement: string, seconds: number): void;
  callbackVerified(outcome: 'verified' | CallbackFailure): void;
  deliveryAttempted(outcome: AttemptOutcome['kind'], seconds: number): void;
}
