import type { Response } from 'express';
import { requesterOf } from '../http/requester.ts';
import type { CallRecords } from '../ports/call-records.ts';
import type { ToolOutcome } from '../ports/measurements.ts';
import { calledTool, type ToolCalls } from './tool-calls.ts';

/** Names of methods that are recorded; everything else that a client writes is left out. */
const METHOD = /^[A-Za-z]+(?:\/[A-Za-z_]+){0,2}$/;
const METHOD_MAX_CHARACTERS = 64;
const UNKNOWN = 'unknown';

const REFUSED_STATUS = 400;
/** JSON-RPC's own code of an internal error. */
const INTERNAL_ERROR = -32_603;

/** A client's request that has been answered. */
export interface AnsweredRequest {
  /** One message or several, of any shape. */
  body: unknown;
  /** Body of the answer, as text. */
  answer: string;
  calls: ToolCalls;
  ms: number;
}

interface Message {
  id?: unknown;
  method?: unknown;
  error?: { code?: unknown };
  result?: { isError?: unknown };
}

/** Records each message of a request: account and client, method, tool, outcome and duration; never its arguments. */
export function recordCalls(records: CallRecords, res: Response, { body, answer, calls, ms }: AnsweredRequest): void {
  const { accountId, clientId } = requesterOf(res);
  const answers = new Map(messagesIn(parsed(answer)).map((message) => [message.id, message]));
  for (const message of messagesIn(body)) {
    const [tool = null] = calledTool(message);
    const method = methodOf(message);
    const outcome = calls.outcomeOf(tool ?? method) ?? outcomeOf(answers.get(message.id), res.statusCode);
    records.add({ accountId, clientId, method, tool, outcome, ms: Math.round(ms) });
  }
}

const messagesIn = (body: unknown): Message[] =>
  [body].flat().filter((message): message is Message => typeof message === 'object' && message !== null);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A notification has no answer.
    return undefined;
  }
}

function methodOf({ method }: Message): string {
  const isName = typeof method === 'string' && method.length <= METHOD_MAX_CHARACTERS && METHOD.test(method);
  return isName ? method : UNKNOWN;
}

function outcomeOf(answer: Message | undefined, status: number): ToolOutcome {
  if (answer?.error?.code === INTERNAL_ERROR) return 'failed';
  const isRefused = answer?.error !== undefined || answer?.result?.isError === true || status >= REFUSED_STATUS;
  return isRefused ? 'refused' : 'ok';
}
