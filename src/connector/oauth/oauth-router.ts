import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type Response, Router } from 'express';
import type { Provider } from 'oidc-provider';
import { openToAnyOrigin } from '../http/cors.ts';
import { allowOnly } from '../http/methods.ts';
import { addressOf } from '../http/request-limits.ts';
import { speak } from '../http/requester.ts';
import { OAUTH_PATHS, SESSION_COOKIE } from './provider.ts';
import { noteAddress } from './registrants.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from './server-metadata.ts';

/** Cache lifetime of discovery documents, which change with a new version only. */
const METADATA_MAX_AGE_SECONDS = 3_600;

/**
 * Discovery, and those of the library's endpoints that we offer; its other endpoints stay unreachable.
 * @param countRegistration refuses an address that registers too many clients
 */
export function createOauthRouter(
  provider: Provider,
  baseUrl: string,
  countRegistration: (req: Request) => void,
  takesDocuments = true,
): Router {
  const router = Router();
  offerDocuments(router, {
    '/.well-known/oauth-protected-resource': protectedResourceMetadata(baseUrl, baseUrl),
    '/.well-known/oauth-protected-resource/mcp': protectedResourceMetadata(baseUrl, `${baseUrl}/mcp`),
    '/.well-known/oauth-authorization-server': authorizationServerMetadata(baseUrl, takesDocuments),
  });

  const callback = provider.callback();
  const forward = async (req: Request, res: Response): Promise<void> => {
    noteAddress(req, addressOf(req));
    believeBaseUrl(req, baseUrl);
    secureCookies(res);
    await callback(req, res);
  };
  const { authorization, token, registration, revocation } = OAUTH_PATHS;
  const programs = [token, registration, revocation];
  router.get([authorization, `${authorization}/:uid`], forward);
  // Serves clients that run in a page of another site. Cookies identify no one here, so such a page can do no more than
  // any program.
  router.all(programs, openToAnyOrigin(['POST']), withoutCookies);
  router.post(registration, speak('oauth'), (req, _res, next) => {
    countRegistration(req);
    next();
  });
  router.post(programs, forward);
  router.all(authorization, speak('oauth'), allowOnly('GET'));
  router.all(programs, speak('oauth'), allowOnly('POST'));
  return router;
}

function offerDocuments(router: Router, documents: Record<string, object>): void {
  for (const [path, content] of Object.entries(documents)) {
    router.all(path, openToAnyOrigin(['GET']));
    router.get(path, (_req, res) => {
      res.set('Cache-Control', `public, max-age=${METADATA_MAX_AGE_SECONDS}`).json(content);
    });
  }
}

const withoutCookies = ({ headers }: IncomingMessage, _res: ServerResponse, next: () => void): void => {
  delete headers.cookie;
  next();
};

/** Replaces the forwarding headers by the configured public address; a client's claims are ignored. */
function believeBaseUrl({ headers }: IncomingMessage, baseUrl: string): void {
  const { protocol, host } = new URL(baseUrl);
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
  delete headers['x-forwarded-for'];
}

/**
 * Adds `Secure` to cookies. On plain http the library would refuse to set a secure cookie; browsers accept one on
 * loopback addresses. The cookie of the library's own session is left out: our session knows who is signed in, and in
 * the library's session two tabs or two people in one browser would end each other's authorizations.
 */
function secureCookies(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  res.writeHead = (...args: unknown[]): ServerResponse => {
    const all = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
    const cookies = all.filter((cookie) => !cookie.startsWith(SESSION_COOKIE));
    if (all.length > 0 && cookies.length === 0) res.removeHeader('Set-Cookie');
    if (cookies.length > 0) {
      res.setHeader(
        'Set-Cookie',
        cookies.map((cookie) => (/; *secure/i.test(cookie) ? cookie : `${cookie}; Secure`)),
      );
    }
    return writeHead(...args);
  };
}
