import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type Response, Router } from 'express';
import type { Provider } from 'oidc-provider';
import { speak } from '../http/exchange.ts';
import { allowOnly } from '../http/methods.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from './metadata.ts';
import { OAUTH_PATHS } from './provider.ts';

/** Discovery documents change with a new version only. */
const METADATA_MAX_AGE_SECONDS = 3_600;

/** Discovery, and those of the library's endpoints that we offer; its other endpoints stay unreachable. */
export function createOauthRouter(provider: Provider, baseUrl: string): Router {
  const router = Router();
  const callback = provider.callback();
  const document = (content: object) => (_req: Request, res: Response) => {
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', `public, max-age=${METADATA_MAX_AGE_SECONDS}`);
    res.json(content);
  };
  const resource = document(protectedResourceMetadata(baseUrl));
  router.get('/.well-known/oauth-protected-resource', resource);
  router.get('/.well-known/oauth-protected-resource/mcp', resource);
  router.get('/.well-known/oauth-authorization-server', document(authorizationServerMetadata(baseUrl)));

  const forward = async (req: Request, res: Response): Promise<void> => {
    believeBaseUrl(req, baseUrl);
    secureEveryCookie(res);
    await callback(req, res);
  };
  const { authorization, token, registration, revocation } = OAUTH_PATHS;
  router.get([authorization, `${authorization}/:uid`], forward);
  router.post([token, registration, revocation], forward);
  router.all(authorization, speak('oauth'), allowOnly('GET'));
  router.all([token, registration, revocation], speak('oauth'), allowOnly('POST'));
  return router;
}

/** The public address is the configured one; what a client claims is ignored. */
function believeBaseUrl({ headers }: IncomingMessage, baseUrl: string): void {
  const { protocol, host } = new URL(baseUrl);
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
  delete headers['x-forwarded-for'];
}

/** On plain http the library would refuse to set a secure cookie; browsers accept one on loopback addresses. */
function secureEveryCookie(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  res.writeHead = (...args: unknown[]): ServerResponse => {
    const cookies = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
    if (cookies.length > 0) {
      res.setHeader(
        'Set-Cookie',
        cookies.map((cookie) => (/; *secure/i.test(cookie) ? cookie : `${cookie}; Secure`)),
      );
    }
    return writeHead(...args);
  };
}
