import { KeptConnection, whyNoAnswer } from './kept-connection.ts';

const SUCCESS = 200;

export type Outcome =
  | { kind: 'answered'; result: Record<string, unknown> }
  /** The connector has said that it did nothing. */
  | { kind: 'refused'; why: string }
  /** It is unknown what was done. */
  | { kind: 'unanswered'; why: string };

/** Calls tools on one connection. */
export class ToolCaller {
  readonly #url: string;
  readonly #token: () => string;
  readonly #connection = new KeptConnection();

  constructor(baseUrl: string, token: () => string) {
    this.#url = `${baseUrl}/mcp`;
    this.#token = token;
  }

  async call(tool: string, args: Record<string, unknown>): Promise<Outcome> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
    const headers = {
      authorization: `Bearer ${this.#token()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    };
    try {
      return outcomeOf(await this.#connection.post(this.#url, headers, JSON.stringify(message)));
    } catch (error) {
      return { kind: 'unanswered', why: whyNoAnswer(error) };
    }
  }

  close(): void {
    this.#connection.close();
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
  // A process that does not serve answers without an error of the protocol.
  const why = result?.content[0]?.text ?? (error === undefined ? text : `${error.code}: ${error.message}`);
  return { kind: 'refused', why: status === SUCCESS ? why : `status ${status}: ${why}` };
}
