import { errors, Provider } from 'oidc-provider';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { accountRemoved, ConnectorError, type ErrorCode, errorTable } from '../errors.ts';

/** OAuth's error code for a request that would succeed at another time. @see RFC 6749 §4.1.2.1 */
export const LATER = 'temporarily_unavailable';
/** HTTP statuses of refusals that get this code. */
const LATER_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/**
 * Wraps operations. A refusal of ours that they throw while the library answers a request reaches the client as what it
 * is: the library would report every unknown error as a server error. Pages and guards get the refusal unchanged.
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

/** A refusal of ours in the library's form, with the status that its code has everywhere. */
export function later(code: ErrorCode, message: string): Error {
  const { status } = errorTable[code];
  return Object.assign(new errors.CustomOIDCProviderError(LATER, message), { status, statusCode: status });
}

/**
 * Lets a refusal of ours pass that a client's document could not be fetched because of: the library would report that the
 * client is unknown, and an app may forget its registration by that.
 */
export function passOnLater({ Client }: Provider): void {
  const find = Client.find.bind(Client);
  Client.find = async (id) => {
    try {
      return await find(id);
    } catch (error) {
      throw error instanceof errors.InvalidClient && isLater(error.cause) ? error.cause : error;
    }
  };
}

const isLater = (error: unknown): boolean => error instanceof errors.CustomOIDCProviderError && error.error === LATER;

/**
 * The refusal for an account that was removed after its person had pressed Allow. Our page shows it, because the app
 * may not.
 */
export function removedMeanwhile(): Error {
  const { message } = accountRemoved();
  return Object.assign(new errors.AccessDenied(message), { allow_redirect: false });
}
