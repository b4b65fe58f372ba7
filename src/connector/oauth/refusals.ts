import { errors, Provider } from 'oidc-provider';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { ConnectorError, type ErrorCode, errorTable } from '../errors.ts';

/** How OAuth says that a request would succeed at another time. @see RFC 6749 §4.1.2.1 */
const LATER = 'temporarily_unavailable';
/** Statuses of refusals of that kind. */
const LATER_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/**
 * The same operations. A refusal of ours that they throw while the library answers a request reaches the client as what it is:
 * the library would call everything that it does not know an error of the server. Pages and guards get it unchanged.
 */
export function inWordsOfOauth<T extends object>(operations: T, log: Logger): T {
  return new Proxy(operations, {
    get: (target, name) => {
      const operation: unknown = Reflect.get(target, name);
      if (typeof operation !== 'function') return operation;
      return async (...given: unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(operation, target, given);
        } catch (error) {
          throw Provider.ctx === undefined ? error : translated(error, log);
        }
      };
    },
  });
}

function translated(error: unknown, log: Logger): unknown {
  if (!(error instanceof ConnectorError)) return error;
  const { status } = errorTable[error.code];
  if (!LATER_STATUSES.has(status)) return error;
  if (error.cause !== undefined) log.warn({ code: error.code, reason: messageOf(error.cause) }, 'request refused');
  return later(error.code, error.message);
}

/** A refusal of ours as the library answers it: with the status that its code has everywhere. */
export function later(code: ErrorCode, message: string): Error {
  const { status } = errorTable[code];
  return Object.assign(new errors.CustomOIDCProviderError(LATER, message), { status, statusCode: status });
}
