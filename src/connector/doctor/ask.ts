import { messageOf } from '../../kernel/errors.ts';

/** Somebody who waits at a terminal. */
const ANSWER_DEADLINE_MS = 5_000;

export interface Answered {
  status: number;
  /** Undefined where it is no JSON. */
  body: Record<string, unknown> | undefined;
  date: string | null;
}

/** What is answered at an address; a text says why nothing is. */
export async function ask(url: string): Promise<Answered | string> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_DEADLINE_MS) });
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
