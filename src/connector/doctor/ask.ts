import { messageOf } from '../../kernel/errors.ts';
import { fetchBy } from '../outbound/proxied-fetch.ts';
import type { OutboundProxy } from '../outbound/proxy.ts';

/** Short deadline, because a person waits at a terminal. */
const ANSWER_DEADLINE_MS = 5_000;

export interface Answered {
  status: number;
  /** Undefined when the text is not JSON. */
  body: Record<string, unknown> | undefined;
  date: string | null;
}

/** Sends a request and returns the answer, or a text with the reason for its absence. */
export async function ask(
  url: string,
  request: RequestInit = {},
  proxy?: OutboundProxy | undefined,
): Promise<Answered | string> {
  try {
    const response = await fetchBy(proxy)(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
    });
    // A body that is not JSON is judged by the status alone.
    const body: unknown = await response.json().catch(() => undefined);
    return {
      status: response.status,
      body: typeof body === 'object' && body !== null ? { ...body } : undefined,
      date: response.headers.get('date'),
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return messageOf(cause);
  }
}
