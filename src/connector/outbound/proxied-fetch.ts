import { exchange, type OutboundAnswer, type OutboundRequest } from './exchange.ts';
import { hostOf } from './host-rules.ts';
import { type OutboundProxy, proxyFor } from './proxy.ts';

/** Deadline of a request; a person waits for it. */
const DEADLINE_MS = 10_000;
/** Longest answer. Metadata, tokens and user information are far below this. */
const ANSWER_MAX_BYTES = 1_024 * 1_024;

const HTTPS_PORT = 443;
/** Statuses of answers without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for addresses that the configuration names; it uses the proxy if there is one for their host. The proxy
 * resolves the name: the author of the configuration trusts both.
 */
export const fetchBy =
  (proxy: OutboundProxy | undefined): Fetch =>
  async (url, init = {}) => {
    const target = new URL(url);
    const host = hostOf(target);
    const port = target.port === '' ? HTTPS_PORT : Number(target.port);
    const via = target.protocol === 'https:' ? proxyFor({ host, port }, proxy) : undefined;
    if (via === undefined) return withoutExcess(await fetch(url, init));
    const signal = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(init.signal ? [init.signal] : [])]);
    const tunnel = { proxy: via, port };
    const answer = await exchange(await requestOf(url, init), [{ address: host, family: 0 }], {
      secureContext: undefined,
      signal,
      tunnel,
    });
    if (answer.kind === 'unreachable') throw failed(answer.failure);
    return responseOf(answer);
  };

/** The same answer with its whole body in memory, decompressed. @throws TypeError for one that is too long */
async function withoutExcess(answer: Response): Promise<Response> {
  const { status, statusText, headers } = answer;
  if (answer.body === null) return answer;
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of answer.body) {
    byteCount += chunk.length;
    // Leaving the loop ends the connection.
    if (byteCount > ANSWER_MAX_BYTES) throw failed(`the answer is longer than ${ANSWER_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(BODILESS.has(status) ? null : Buffer.concat(chunks), { status, statusText, headers });
}

/** An error of the kind that `fetch` throws. */
const failed = (why: string): TypeError => new TypeError('fetch failed', { cause: new Error(why) });

async function requestOf(url: string, init: RequestInit): Promise<OutboundRequest> {
  const body = init.body ? { body: await new Response(init.body).text() } : {};
  const method = init.method === 'POST' ? 'POST' : 'GET';
  return { url, method, headers: headersOf(init), ...body, answerBytesMax: ANSWER_MAX_BYTES };
}

function responseOf({ status, headers, body = '' }: Extract<OutboundAnswer, { kind: 'answered' }>): Response {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(BODILESS.has(status) ? null : body, { status, headers: pairs });
}

function headersOf({ headers, body }: RequestInit): Record<string, string> {
  const all = new Headers(headers ?? undefined);
  const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' : undefined;
  if (type !== undefined && !all.has('content-type')) all.set('content-type', type);
  return Object.fromEntries(all);
}
