import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { ask } from '../../../../src/connector/doctor/ask.ts';
import { createIdentityProvider } from '../../../../src/connector/idp/index.ts';
import { fetchBy } from '../../../../src/connector/outbound/proxied-fetch.ts';

const PIECE = Buffer.alloc(64 * 1_024, ' ');
/** Pieces after which the server gives up, if an answer is read without a bound. */
const PIECES_MAX = 1_000;

for (const [what, isCompressed] of [
  ['does not end', false],
  ['does not end once it is unpacked', true],
] as const) {
  test(`an identity provider’s answer that ${what} is read up to the bound of such answers`, async () => {
    await using endless = await startEndless(isCompressed);
    const oidc = { issuer: endless.url, clientId: 'x', clientSecret: 'y', loginClaim: 'preferred_username' };
    const provider = createIdentityProvider({ oidc }, `${endless.url}/callback`, () => 0, fetchBy(undefined));

    await expect(provider.start()).rejects.toMatchObject({ code: 'identity_provider_unreachable' });

    expect(await ask(endless.url)).toBe('the answer is longer than 1048576 bytes');
    expect(endless.pieces).toBeLessThan(PIECES_MAX);
  });
}

/** Answers everything with a body that does not end. */
async function startEndless(isCompressed: boolean) {
  let pieces = 0;
  const answer: RequestListener = (_req, res) => {
    res.writeHead(200, {
      'content-type': 'application/json',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    });
    const out = isCompressed ? createGzip() : res;
    if (out !== res) out.pipe(res);
    const more = (): void => {
      if (res.closed) return;
      pieces += 1;
      if (pieces > PIECES_MAX) out.end('{}');
      else out.write(PIECE, () => setImmediate(more));
    };
    more();
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Number of pieces that were made. */
    get pieces() {
      return pieces;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
