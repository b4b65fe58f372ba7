import { type RequestOptions, request } from 'node:https';
import { Readable } from 'node:stream';
import type { FrontProxy } from './start-proxy.ts';

/** Source of a request: any address of the loopback network, so that a test can be several machines. */
type Source = { localAddress?: string };

/** A `fetch` whose requests for `https://NAME` go to a proxy of the test, as if the name pointed there. */
export function fetchThrough({ httpsPort, ca }: FrontProxy, { localAddress }: Source = {}): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const { hostname, pathname, search } = new URL(asked.url);
    const body = asked.body === null ? undefined : Buffer.from(await asked.arrayBuffer());
    const options: RequestOptions = {
      host: '127.0.0.1',
      port: httpsPort,
      servername: hostname,
      ca,
      method: asked.method,
      path: pathname + search,
      headers: { host: hostname, ...Object.fromEntries(asked.headers) },
      signal: asked.signal,
      agent: false,
      ...(localAddress === undefined ? {} : { localAddress }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    request(options, (answer) => {
      const headers = new Headers(
        Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        ),
      );
      const status = answer.statusCode ?? 0;
      const isEmpty = status === 204 || status === 304;
      if (isEmpty) answer.resume();
      resolve(new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers }));
    })
      .once('error', reject)
      .end(body);
    return promise;
  };
}
