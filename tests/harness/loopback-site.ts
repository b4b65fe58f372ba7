import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on this machine: for a browser another one than the connector’s, by its name and its port. */
export interface LoopbackSite extends AsyncDisposable {
  /** Origin of the site, without a slash at its end. */
  origin: string;
  /** Body of each of its pages. */
  body: string;
  /** Redirect that its address `/callback` answers in place of a page. */
  onward: { status: number; location: string } | undefined;
}

/** @param name under which the browser knows it: `localhost` and `127.0.0.1` are two sites */
export async function startLoopbackSite(name: 'localhost' | '127.0.0.1' = 'localhost'): Promise<LoopbackSite> {
  const server = createServer((request, response) => {
    if (site.onward !== undefined && request.url?.startsWith('/callback') === true) {
      response.writeHead(site.onward.status, { location: site.onward.location }).end();
      return;
    }
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>A site</title>${site.body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site: LoopbackSite = {
    origin: `http://${name}:${(server.address() as AddressInfo).port}`,
    body: '<p>a site</p>',
    onward: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}
