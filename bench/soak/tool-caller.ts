import { Agent, request } from 'node:http';

/** Time after which a client gives up. */
const ANSWER_DEADLINE_MS = 10_000;
const SUCCESS = 200;

export type Outcome =
  | { kind: 'answered'; result: Record<string, unknown> }
  /** The connector has said that it did nothing. */
  | { kind: 'refused'; why: string }
  /** It is unknown what was done. */
  | { kind: 'unanswered'; why: string };

/** Calls tools on one connection, which is kept; after a failure on another one. */
export class ToolCaller {
  readonly #url: string;
  readonly #token: () => string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(baseUrl: string, token: () => string) {
    this.#url = `${baseUrl}/mcp`;
    this.#token = token;
  }

  async call(tool: string, args: Record<string, unknown>): Promise<Outcome> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
    try {
      return outcomeOf(await this.#post(JSON.stringify(message)));
    } catch (error) {
      const { code, message: why } = error as NodeJS.ErrnoException;
      return { kind: 'unanswered', why: code ?? why };
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(body: string): Promise<{ status: number; text: string }> {
    const headers = {
      authorization: `Bearer ${this.#token()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
      const timer = setTimeout(() => sent.destroy(new Error('no answer in 10 s')), ANSWER_DEADLINE_MS);
      sent.once('close', () => clearTimeout(timer));
      sent.once('error', reject);
      sent.end(body);
    });
  }
}

interface Rpc {
  result?: { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };
  error?: { code?: unknown; message: string };
}

function outcomeOf({ status, text }: { status: number; text: string }): Outcome {
  const { result, error } = JSON.parse(text) as Rpc;
  if (status === SUCCESS && result !== undefined && result.isError !== true) {
    return { kind: 'answered', result: result.structuredContent ?? {} };
  }
  const why = result?.content[0]?.text ?? `${error?.code}: ${error?.message}`;
  return { kind: 'refused', why: status === SUCCESS ? why : `status ${status}: ${why}` };
}
