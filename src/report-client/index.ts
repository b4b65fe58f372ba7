import type { z } from 'zod';
import { type HostReport, hostReport } from '../../schemas/report.ts';

export type { HostReport } from '../../schemas/report.ts';

/** Longer than an agent needs with every source at its own deadline. */
const DEADLINE_DEFAULT_MS = 15_000;

/** No host has a report of this size; more is not read. */
const REPORT_MAX_BYTES = 32 * 1024 * 1024;

/** How much of an agent's own words a message repeats. */
const ANSWER_MAX_CHARACTERS = 200;

export interface ReportRequest {
  /** Address of the agent: `http://10.0.0.1:9105`. */
  baseUrl: string | URL;
  token: string;
  /** Units to ask about, answered in `services`; with those of the user 64 at most. */
  units?: readonly string[];
  /** Units of the user whom the agent is configured for. */
  userUnits?: readonly string[];
  deadlineMs?: number;
  /** Ends the request early. */
  signal?: AbortSignal;
}

/**
 * Why there is no report. `unreachable`: no answer at all; `timeout`: none within the deadline; `refused`: the agent
 * did not take the question (bad unit name); `unexpected_status`: not an agent, or one that is broken;
 * `invalid_report`: an answer that is not a report of this version.
 */
export type ReportFailureCode =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'refused'
  | 'unexpected_status'
  | 'invalid_report';

export type ReportResult =
  | { ok: true; report: HostReport }
  | { ok: false; code: ReportFailureCode; message: string; status?: number };

/**
 * Fetches and validates the report of one host. Never throws for what a host or a network does.
 * Fields this version does not know are left out of `report`, so that newer agents can be asked.
 */
export async function fetchReport(request: ReportRequest): Promise<ReportResult> {
  const { token, deadlineMs = DEADLINE_DEFAULT_MS, signal } = request;
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(addressOf(request), {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      // A redirect would carry the token to somebody else.
      redirect: 'error',
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    });
    const text = await textOf(response);
    if (text !== undefined) return resultOf(response.status, text);
    return { ok: false, code: 'invalid_report', message: `the answer is larger than ${REPORT_MAX_BYTES} bytes` };
  } catch (error) {
    if (deadline.aborted) return { ok: false, code: 'timeout', message: `no report within ${deadlineMs} ms` };
    return { ok: false, code: 'unreachable', message: reasonOf(error) };
  }
}

function addressOf({ baseUrl, units = [], userUnits = [] }: ReportRequest): URL {
  const address = new URL('/v1/report', baseUrl);
  for (const unit of units) address.searchParams.append('unit', unit);
  for (const unit of userUnits) address.searchParams.append('userUnit', unit);
  return address;
}

function resultOf(status: number, text: string): ReportResult {
  if (status === 200) return parseReport(text);
  const answer = text.slice(0, ANSWER_MAX_CHARACTERS);
  if (status === 401)
    return { ok: false, code: 'unauthorized', status, message: 'the agent does not accept the token' };
  const code = status === 400 ? 'refused' : 'unexpected_status';
  return { ok: false, code, status, message: `the agent answered ${status}: ${answer}` };
}

/** Validates the text of a report, for hubs that fetch it their own way. */
export function parseReport(text: string): ReportResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: 'invalid_report', message: 'the answer is not JSON' };
  }
  const parsed = hostReport.safeParse(value);
  if (parsed.success) return { ok: true, report: parsed.data };
  return { ok: false, code: 'invalid_report', message: problemsOf(parsed.error) };
}

const problemsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'the report'}: ${message}`).join('; ');

/** The body; undefined when it is larger than a report may be. */
async function textOf({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > REPORT_MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What fetch keeps in the cause is what the system said. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
