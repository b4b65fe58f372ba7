import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';

/** The client that is registered there. */
export const OIDC_CLIENT = { clientId: 'client-of-the-tests', clientSecret: 'its secret: 100 %' };

/** An OpenID Connect provider whose every answer a test can spoil. */
export interface OidcLike extends AsyncDisposable {
  issuer: string;
  /** Port on which it listens, even if its metadata has another address. */
  port: number;
  /** Added to its metadata; undefined takes a member away. */
  metadata: Record<string, unknown>;
  /** Added to the claims of ID tokens. */
  claims: Record<string, unknown>;
  /** Answer of its user endpoint. */
  user: Record<string, unknown>;
  /** Whether ID tokens are signed. */
  signs: boolean;
  /** Handler that stands before all others. */
  before: RequestHandler;
  /** Ways in which the client has sent its secret to the token endpoint. */
  shown: ('header' | 'body')[];
}

const KEY_ID = 'only';
const HOUR_SECONDS = 3_600;

/** @param nonceOf the nonce that belongs to a code */
export async function startOidcLike(nonceOf: (code: string) => string): Promise<OidcLike> {
  const own = newKey();
  const app = express();
  app.use((req, res, next) => provider.before(req, res, next));
  app.get('/.well-known/openid-configuration', (_req, res) => {
    const { issuer, metadata } = provider;
    res.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/user`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      ...metadata,
    });
  });
  app.get('/keys', (_req, res) => {
    res.json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' }] });
  });
  app.post('/token', express.urlencoded(), (req, res) => {
    const { code = '', client_secret: inBody } = req.body as Record<string, string | undefined>;
    provider.shown.push(inBody === undefined ? 'header' : 'body');
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: provider.issuer, aud: OIDC_CLIENT.clientId, sub: '7', nonce: nonceOf(code) },
      ...{ iat: now, exp: now + HOUR_SECONDS, preferred_username: 'ada' },
      ...provider.claims,
    };
    res.json({
      access_token: 'access',
      token_type: 'Bearer',
      id_token: tokenOf(claims, provider.signs ? own.privateKey : undefined),
    });
  });
  app.get('/user', (_req, res) => {
    res.json(provider.user);
  });
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const provider: OidcLike = {
    issuer: `http://127.0.0.1:${port}`,
    port,
    metadata: {},
    claims: {},
    user: {},
    signs: true,
    before: (_req, _res, next) => next(),
    shown: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

function tokenOf(claims: object, key: ReturnType<typeof newKey>['privateKey'] | undefined): string {
  const header = key === undefined ? { alg: 'none' } : { alg: 'ES256', kid: KEY_ID };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature =
    key === undefined ? Buffer.alloc(0) : sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
