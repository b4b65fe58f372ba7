import { Router } from 'express';
import { ConnectorError } from '../errors.ts';
import { speak } from '../http/exchange.ts';
import { refuseMethods } from '../http/methods.ts';

/** Tells whoever came by another way how agents reach the endpoint. */
export const wayIn = (baseUrl: string): string =>
  `Streamable HTTP: POST /mcp. The address to give to a client is ${baseUrl}/mcp`;

/** Addresses where clients knock that were given an older or a shorter one: each is told the right one. */
export function createSignposts(baseUrl: string): Router {
  const router = Router();
  router.all('/sse', () => {
    throw new ConnectorError('not_found', `this server does not have the older transport, SSE, but ${wayIn(baseUrl)}`);
  });
  router.post('/', speak('jsonrpc'), refuseMethods(['GET'], `this is the start page. ${wayIn(baseUrl)}`));
  return router;
}
