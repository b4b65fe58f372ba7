import type { z } from 'zod';
import { type HostReport, hostReport } from '../../schemas/report.ts';

export type { HostReport } from '../../schemas/report.ts';

/** Longer than an agent needs even if every source takes its full deadline. */
const DEADLINE_DEFAULT_MS = 15_000;

/** Most bytes of an answer after decompression. A host with 10,000 zones, 1,000 peers and 1,000 units has 2.3 MiB. */
const REPORT_MAX_BYTES = 8 * 1024 * 1024;

/** Characters of the agent's own text that a message repeats. */
const ANSWER_MAX_CHARACTERS = 200;

/** Problems of one report that a message names. */
const PROBLEMS_MAX = 5;

/** Zod stops at the first wrong row: a small compressed answer can have millions of them. */
const FIRST_PROBLEM = { abortEarly: true, reportInput: false };

/** Characters that the header may contain. */
const TOKEN = /^[\x21-\x7e]+$/;

export interface ReportRequest {
  /** Address of the agent, such as `http://10.0.0.1:9105`, or its path at a proxy: `https://hub.example/host1`. */
  baseUrl: string | URL;
  token: string;
  /** Units to ask about; the answer is in `services`. At most 64, including the user units. */
  units?: readonly string[];
  /** User units, of the user that the agent is configured for. */
  userUnits?: readonly string[];
  deadlineMs?: number;
  /** Ends the request early. */
  signal?: AbortSignal;
}

/**
 * Why there is no report. `invalid_request`: no request was sent, because address or token can't be used;
 * `unreachable`: no answer at all; `timeout`: no answer within the deadline; `unauthorized`: the agent does not accept
 * the token; `refused`: the agent rejected the question (bad unit name); `unexpected_status`: not an agent, or one that
 * is broken; `invalid_report`: an answer that is not a report of this version.
 */
export type ReportFailureCode =
  | 'invalid_request'
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
 * Fetches and validates the report of one host. Never throws for failures of a host or a network.
 * Fields this version does not know are left out of `report`, so that newer agents can be asked.
 */
export async function fetchReport(request: ReportRequest): Promise<ReportResult> {
  const { token, deadlineMs = DEADLINE_DEFAULT_MS, signal } = request;
  const address = addressOf(request);
  const problem = typeof address === 'string' ? address : problemOfToken(token);
  if (problem !== undefined) return { ok: false, code: 'invalid_request', message: problem };
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      // A redirect would send the token to another server.
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

/**
 * The address of the report, or a text with the reason why there is no address. The text never quotes `baseUrl`, which
 * can contain a password.
 */
function addressOf({ baseUrl, units = [], userUnits = [] }: ReportRequest): URL | string {
  if (!URL.canParse(String(baseUrl))) return 'baseUrl is not an address';
  const address = new URL(baseUrl);
  if (!['http:', 'https:'].includes(address.protocol)) return 'baseUrl is not an http or https address';
  if (address.username !== '' || address.password !== '') return 'baseUrl has a user name or password in it';
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/v1/report`;
  address.search = '';
  address.hash = '';
  for (const unit of units) address.searchParams.append('unit', unit);
  for (const unit of userUnits) address.searchParams.append('userUnit', unit);
  return address;
}

/** fetch repeats a header that it refuses, so it must not see such a token. */
function problemOfToken(token: string): string | undefined {
  return TOKEN.test(token) ? undefined : 'token is empty, or has blanks, line breaks or characters beyond ASCII';
}

function resultOf(status: number, text: string): ReportResult {
  if (status === 200) return parseReport(text);
  const answer = brief(text);
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
    // The message of `JSON.parse` quotes the text, which may be of any kind.
    return { ok: false, code: 'invalid_report', message: 'the answer is not JSON' };
  }
  const parsed = hostReport.safeParse(value, FIRST_PROBLEM);
  if (parsed.success) return { ok: true, report: parsed.data };
  return { ok: false, code: 'invalid_report', message: problemsOf(parsed.error) };
}

const problemsOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, PROBLEMS_MAX)
    .map(({ path, message }) => `${brief(path.join('.')) || 'the report'}: ${message}`)
    .join('; ');

/** Shortens a host's text and replaces its control characters: it can be long and contain anything. */
const brief = (text: string): string => text.slice(0, ANSWER_MAX_CHARACTERS).replaceAll(/\p{Cc}/gu, '\ufffd');

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

/** fetch puts the system's error into `cause`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
