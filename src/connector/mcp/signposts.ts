import { Router } from 'express';
import { ConnectorError } from '../errors.ts';
import { refuseMethods } from '../http/methods.ts';
import { speak } from '../http/requester.ts';

/** The way to the endpoint, for clients that came by another one. */
export const wayIn = (baseUrl: string): string =>
  `Streamable HTTP: POST /mcp. The address to give to a client is ${baseUrl}/mcp`;

/**
 * Routes at addresses that clients try after they were given an older or a shorter one: each answer names the right
 * address.
 */
export function createSignposts(baseUrl: string): Router {
  const router = Router();
  router.all('/sse', () => {
    throw new ConnectorError('not_found', `this server does not have the older transport, SSE, but ${wayIn(baseUrl)}`);
  });
  router.post('/', speak('jsonrpc'), refuseMethods(['GET'], `this is the start page. ${wayIn(baseUrl)}`));
  return router;
}
