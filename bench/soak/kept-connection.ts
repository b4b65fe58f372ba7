import { Agent, request } from 'node:http';

/** Time after which a client gives up. */
const ANSWER_DEADLINE_MS = 10_000;

export interface HttpAnswer {
  status: number;
  text: string;
}

/** Posts on one connection, which is kept; after a failure on another one. */
export class KeptConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @throws Error with a code where no answer came */
  post(url: string, headers: Record<string, string>, body: string): Promise<HttpAnswer> {
    const all = { ...headers, 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: this.#agent, headers: all }, (response) => {
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

  close(): void {
    this.#agent.destroy();
  }
}

/** Why there was no answer. */
export const whyNoAnswer = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};
