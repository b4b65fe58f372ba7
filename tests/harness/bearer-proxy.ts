import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BearerProxy extends AsyncDisposable {
  url: string;
}

/** Adds an access token to every request, for programs that can't be given one; all else goes through as it is. */
export async function startBearerProxy(target: string, accessToken: string): Promise<BearerProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onward = { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${accessToken}` } };
    const passed = request(onward, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
