import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type RequestHandler, type Response } from 'express';

/** The OAuth app that is registered there. */
export const GITHUB_APP = { clientId: 'app-of-the-tests', clientSecret: 'secret-of-the-app' };

const TOKEN_PATH = '/login/oauth/access_token';
const USER_PATH = '/api/v3/user';
/** Format of its answers to clients that do not ask for JSON. */
const FORM = 'application/x-www-form-urlencoded';

export interface GithubUser {
  id: unknown;
  login: unknown;
}

/**
 * A service that answers as GitHub does: OAuth without ID tokens, refusals with status 200, and an API that identifies
 * the user.
 */
export interface GithubLike extends AsyncDisposable {
  url: string;
  /** The user who is signed in there and allows every request. */
  arriving: GithubUser;
  /** Answers in place of its own, once each; undefined for its own. */
  instead: { authorize?: RequestHandler; token?: RequestHandler; user?: RequestHandler };
  /** Parameters of the requests to the authorization endpoint. */
  asked: Record<string, string>[];
}

interface Code {
  user: GithubUser;
  challenge: string;
}

/** @param callback that is registered for the app; others are refused as GitHub refuses them */
export async function startGithubLike(callback: () => string): Promise<GithubLike> {
  const codes = new Map<string, Code>();
  const tokens = new Map<string, GithubUser>();
  const app = express();
  app.set('query parser', 'simple');
  const orInstead =
    (what: keyof GithubLike['instead'], own: (req: Request, res: Response) => void): RequestHandler =>
    (req, res, next) => {
      const handler = github.instead[what];
      delete github.instead[what];
      return handler === undefined ? own(req, res) : handler(req, res, next);
    };

  app.get(
    '/login/oauth/authorize',
    orInstead('authorize', (req, res) => {
      const query = req.query as Record<string, string>;
      github.asked.push(query);
      const { redirect_uri: redirectUri = '', state = '', code_challenge: challenge = '' } = query;
      const target = new URL(callback());
      target.searchParams.set('state', state);
      if (redirectUri !== callback()) target.searchParams.set('error', 'redirect_uri_mismatch');
      else {
        const code = randomBytes(10).toString('hex');
        codes.set(code, { user: github.arriving, challenge });
        target.searchParams.set('code', code);
      }
      res.redirect(target.href);
    }),
  );

  /** Returns the user of a code, or the error by which it is refused. */
  const redeem = (body: Record<string, string | undefined>): GithubUser | string => {
    if (body['client_id'] !== GITHUB_APP.clientId || body['client_secret'] !== GITHUB_APP.clientSecret) {
      return 'incorrect_client_credentials';
    }
    if (body['redirect_uri'] !== callback()) return 'redirect_uri_mismatch';
    const found = codes.get(body['code'] ?? '');
    codes.delete(body['code'] ?? '');
    return found?.challenge === challengeOf(body['code_verifier']) ? found.user : 'bad_verification_code';
  };

  app.post(
    TOKEN_PATH,
    express.urlencoded(),
    orInstead('token', (req, res) => {
      const user = redeem(req.body as Record<string, string | undefined>);
      const token = randomBytes(10).toString('hex');
      if (typeof user === 'string') res.json({ error: user, error_description: 'The reason.', error_uri: 'https://x' });
      else {
        tokens.set(token, user);
        const isAsked = req.accepts([FORM, 'application/json']) === 'application/json';
        if (isAsked) res.json({ access_token: token, scope: '', token_type: 'bearer' });
        else res.type(FORM).send(`access_token=${token}&scope=&token_type=bearer`);
      }
    }),
  );

  app.get(
    USER_PATH,
    orInstead('user', ({ headers }, res) => {
      const user = tokens.get(/^bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
      if (headers['user-agent'] === undefined) res.status(403).send('Request forbidden by administrative rules.');
      else if (user === undefined) res.status(401).json({ message: 'Requires authentication' });
      else res.json({ ...user, node_id: 'x', type: 'User', name: null, email: null });
    }),
  );

  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const github: GithubLike = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arriving: { id: 1, login: 'Ada' },
    instead: {},
    asked: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return github;
}

const challengeOf = (verifier = ''): string => createHash('sha256').update(verifier).digest('base64url');
