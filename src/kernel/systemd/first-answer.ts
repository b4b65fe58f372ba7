import { request } from 'node:http';
import { messageOf, StartError } from '../errors.ts';
import { poll } from '../poll.ts';

/** Time from listening to the first good answer: a busy machine needs a second, an emulated one many. */
const ANSWERS_WITHIN_MS = 60_000;
const RETRY_MS = 100;
/** Bytes of an answer that are kept, more than a health check has. */
const BODY_MAX_BYTES = 1_024;

const OK_STATUS = 200;
/** `reason` of a standby, which serves once the process that serves now has ended. */
const STANDBY = 'standby';

/** Address or socket on which a service listens. */
export interface Listen {
  address: string;
  port: number;
  unix?: string | undefined;
}

/** State of a service that was started: it serves, or waits as a standby while another process serves. */
export type FirstAnswer = 'serves' | 'waits';

/** Asks a service for its health until it serves or waits. @throws StartError with its last answer */
export async function firstAnswer(program: string, listen: Listen, withinMs = ANSWERS_WITHIN_MS): Promise<FirstAnswer> {
  let last = '';
  const look = async (): Promise<FirstAnswer | undefined> => {
    const { found, says } = await health(listen, withinMs);
    last = says;
    return found;
  };
  const found = await poll(look, { everyMs: RETRY_MS, withinMs });
  if (found !== undefined) return found;
  throw new StartError(
    `${program} was started and is not ready (its health check: ${last}): journalctl --unit ${program} says why`,
  );
}

interface Health {
  /** Undefined if the service does not answer, or reports a failure. */
  found: FirstAnswer | undefined;
  /** For people. */
  says: string;
}

function health({ address, port, unix }: Listen, withinMs: number): Promise<Health> {
  const { promise, resolve } = Promise.withResolvers<Health>();
  const failed = (error: unknown): void => resolve({ found: undefined, says: messageOf(error) });
  const where = unix === undefined ? { host: address, port } : { socketPath: unix };
  request({ ...where, path: '/healthz', signal: AbortSignal.timeout(withinMs) }, (response) => {
    const { statusCode: status = 0 } = response;
    let text = '';
    response
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text = (text + part).slice(0, BODY_MAX_BYTES);
      })
      .on('error', failed)
      .on('end', () => {
        if (status === OK_STATUS) return resolve({ found: 'serves', says: 'well' });
        const reason = reasonIn(text);
        const says = `status ${status}${reason === undefined ? '' : `, ${reason}`}`;
        resolve({ found: reason === STANDBY ? 'waits' : undefined, says });
      });
  })
    .on('error', failed)
    .end();
  return promise;
}

function reasonIn(text: string): string | undefined {
  try {
    const { reason } = (JSON.parse(text) as { reason?: unknown } | null) ?? {};
    return typeof reason === 'string' && /^[a-z]{1,20}$/.test(reason) ? reason : undefined;
  } catch {
    // A proxy may answer with a page of its own.
    return undefined;
  }
}
