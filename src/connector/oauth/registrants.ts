import type { IncomingMessage } from 'node:http';
import { Provider } from 'oidc-provider';
import { secretHash } from '../domain/ids.ts';

const addresses = new WeakMap<IncomingMessage, string>();

/**
 * Remembers the address of a request before its headers are replaced by ours.
 * @param address as rate limits count it
 */
export const noteAddress = (req: IncomingMessage, address: string): void => void addresses.set(req, address);

/** Hash of the address whose request the library is answering. */
export function requestOrigin(): string {
  const req = (Provider.ctx as { req?: IncomingMessage } | undefined)?.req;
  return secretHash((req === undefined ? undefined : addresses.get(req)) ?? '');
}
