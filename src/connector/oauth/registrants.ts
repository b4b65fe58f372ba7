import type { IncomingMessage } from 'node:http';
import { Provider } from 'oidc-provider';
import { secretHash } from '../domain/ids.ts';

const addresses = new WeakMap<IncomingMessage, string>();

/** Remembers where a request comes from, before its headers are replaced by ours. @param address as limits count it */
export const noteAddress = (req: IncomingMessage, address: string): void => void addresses.set(req, address);

/** Whence the request comes that the library is answering, as a hash. */
export function requestOrigin(): string {
  const req = (Provider.ctx as { req?: IncomingMessage } | undefined)?.req;
  return secretHash((req === undefined ? undefined : addresses.get(req)) ?? '');
}
