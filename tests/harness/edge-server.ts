import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { RequestHandler } from 'express';
import type { VerifiedToken, VerifyToken } from '../../src/connector/domain/verified-token.ts';
import { createApp } from '../../src/connector/http/app.ts';
import type { GuardedRoute } from '../../src/connector/http/guarded-route.ts';
import { createLimits } from '../../src/connector/http/request-limits.ts';
import { createLog } from '../../src/kernel/log.ts';

export interface EdgeServer extends AsyncDisposable {
  url: string;
  /** Text that it has logged. */
  log(): string;
}

export interface EdgeParts {
  guarded?: readonly GuardedRoute[];
  open?: readonly RequestHandler[];
  /** Valid access tokens. */
  tokens?: Record<string, VerifiedToken>;
  /** Verifies tokens in place of a look into `tokens`. */
  verifyToken?: VerifyToken;
  adminToken?: string;
  perAddress?: number;
  perClient?: number;
  openerPaths?: readonly string[];
}

/** The connector's HTTP edge, listening, with routes of the test's own. */
export async function startEdge(parts: EdgeParts): Promise<EdgeServer> {
  const { guarded = [], open = [], tokens = {}, adminToken, openerPaths = ['/opened'] } = parts;
  const { perAddress = 1_000, perClient = 1_000, verifyToken = async (token) => tokens[token] } = parts;
  const output = new PassThrough();
  const written: string[] = [];
  output.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const app = createApp({
    baseUrl: 'http://127.0.0.1',
    log: createLog('edge', 'debug', output),
    trustedProxies: ['127.0.0.1'],
    settingsUrl: 'http://127.0.0.1/settings',
    limits: createLimits({ limits: () => ({ perAddress, perClient }), now: () => 1_000_000 }),
    verifyToken,
    isAdminToken: (presented) => presented !== undefined && presented === adminToken,
    guarded,
    open,
    openerPaths,
    unready: () => undefined,
    renderPage: ({ title, message }) => `<h1>${title}</h1>${message}`,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => written.join(''),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
