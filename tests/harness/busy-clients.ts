import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../src/kernel/errors.ts';

/** What a client asks, and the answer to it. */
export interface Question {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Answer {
  status: number;
  text: string;
}

/** Sends a request on a connection that is kept, if there is one. @throws Error without a whole answer */
export type Ask = (question: Question) => Promise<Answer>;

/** A client by `fetch`: all of them share connections. */
export const askByFetch =
  (baseUrl: string): Ask =>
  async ({ path, body, ...init }) => {
    const answer = await fetch(`${baseUrl}${path}`, { ...init, ...(body === undefined ? {} : { body }) });
    return { status: answer.status, text: await answer.text() };
  };

/** A client with a connection of its own. */
export function askByAgent(baseUrl: string): Ask {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  return ({ path, body = '', ...init }) =>
    new Promise((resolve, reject) => {
      const headers = { ...init.headers, 'content-length': String(Buffer.byteLength(body)) };
      const asked = request(`${baseUrl}${path}`, { ...init, headers, agent }, (answer) =>
        textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject),
      );
      asked.once('error', reject);
      asked.end(body);
    });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** An agent's calls by one connection. @throws Error with what was answered when a call failed or was refused */
export interface Caller {
  tool(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  get(path: string): Promise<Record<string, unknown>>;
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
}

export function callerBy(ask: Ask, accessToken: string): Caller {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  };
  const answered = async (question: Question): Promise<Record<string, unknown>> => {
    const { status, text } = await ask(question);
    if (status >= 400) throw new Error(`status ${status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const post = (path: string, body: unknown) => answered({ method: 'POST', path, headers, body: JSON.stringify(body) });
  return {
    post,
    get: (path) => answered({ method: 'GET', path, headers }),
    tool: async (name, args = {}) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { result, error } = (await post('/mcp', message)) as { result?: ToolResult; error?: { message: string } };
      if (result?.isError !== false && result?.isError !== undefined) throw new Error(result.content[0]?.text);
      if (result === undefined) throw new Error(error?.message ?? 'no result');
      return result.structuredContent ?? {};
    },
  };
}

interface ToolResult {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** Work that clients repeat without an end, one thing after another. */
export class BusyClients implements AsyncDisposable {
  /** What failed, when, by milliseconds from the beginning. */
  readonly failed: string[] = [];
  readonly #beganAt = performance.now();
  readonly #times = new Map<string, number>();
  readonly #ends = new AbortController();
  readonly #clients: Promise<void>[] = [];

  /** Adds a client that does this again and again, after a pause. */
  add(what: string, pauseMs: number, work: () => Promise<unknown>): void {
    this.#times.set(what, this.#times.get(what) ?? 0);
    this.#clients.push(this.#repeat(what, pauseMs, work));
  }

  /** How often each kind of work has succeeded. */
  get times(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#times);
  }

  /** Ends the clients when what they do is done. */
  async stop(): Promise<void> {
    this.#ends.abort();
    await Promise.all(this.#clients);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #repeat(what: string, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#ends;
    while (!signal.aborted) {
      try {
        await work();
        this.#times.set(what, (this.#times.get(what) ?? 0) + 1);
      } catch (error) {
        const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
        this.failed.push(`${Math.round(performance.now() - this.#beganAt)} ms: ${what}: ${messageOf(error)}${cause}`);
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
