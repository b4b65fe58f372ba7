import type { EntryKind } from '../domain/entry.ts';
import type { MessageStatus } from '../domain/outgoing-message.ts';
import type { AttemptOutcome, CallbackFailure } from './callbacks.ts';

/** How a tool call ended: as asked for, refused with a reason, or by a fault of ours. */
export type ToolOutcome = 'ok' | 'refused' | 'failed';

/** What the program counts about itself. */
export interface Measurements {
  captured(kind: EntryKind): void;
  sent(status: MessageStatus, lineCount: number): void;
  toolCalled(tool: string, outcome: ToolOutcome, seconds: number): void;
  statementRun(statement: string, seconds: number): void;
  callbackVerified(outcome: 'verified' | CallbackFailure): void;
  deliveryAttempted(outcome: AttemptOutcome['kind'], seconds: number): void;
}
