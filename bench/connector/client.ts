import { Agent, request } from 'node:http';
import { quantile } from '../quantile.ts';

const PROTOCOL_VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ANSWER_DEADLINE_MS = 30_000;

export interface Call {
  tool: string;
  args: Record<string, unknown>;
}

/** The result of a tool. */
export interface CallAnswer {
  structuredContent: Record<string, unknown>;
  isError?: boolean;
}

/** Calls tools as the official client does, without its own cost. */
export class ToolClient {
  readonly #url: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(baseUrl: string, token: string, connections = 1) {
    this.#url = `${baseUrl}/mcp`;
    this.#token = token;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** @throws Error when the answer is not a tool's result */
  async call(call: Call): Promise<CallAnswer> {
    const { result } = JSON.parse(await this.#post(call)) as { result?: CallAnswer };
    if (result === undefined || result.isError === true) throw new Error(`${call.tool} failed`);
    return result;
  }

  /** Calls a tool. Resolves with the milliseconds until the whole answer was there, and its raw text. */
  async ask(call: Call): Promise<{ ms: number; text: string }> {
    const start = performance.now();
    const text = await this.#post(call);
    return { ms: performance.now() - start, text };
  }

  async time(call: Call): Promise<number> {
    return (await this.ask(call)).ms;
  }

  close(): void {
    this.#agent.destroy();
  }

  #post({ tool, args }: Call): Promise<string> {
    const params = { name: tool, arguments: args, _meta: META };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${tool}: status ${response.statusCode}: ${text}`));
        });
      });
      sent.setTimeout(ANSWER_DEADLINE_MS, () => sent.destroy(new Error(`${tool}: no answer`)));
      sent.once('error', reject);
      sent.end(body);
    });
  }
}

export interface Times {
  p50Ms: number;
  p99Ms: number;
}

export const timesOf = (values: readonly number[]): Times => ({
  p50Ms: quantile(values, 0.5),
  p99Ms: quantile(values, 0.99),
});
