import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { entriesOf, isExempted, type Target } from './no-proxy.ts';
import { isLoopbackAddress } from './public-address.ts';

/** A proxy through which encrypted requests leave. */
export interface OutboundProxy {
  /** Without credentials. */
  url: string;
  /** User and password, as USER:PASSWORD; they go to the proxy only. */
  credentials?: string | undefined;
  /** Targets that are reached without it, in lower case, as `NO_PROXY` has them. */
  noProxy: readonly string[];
}

/** The proxy for a target; undefined for one that is reached directly, as this machine always is. */
export function proxyFor(target: Target, proxy: OutboundProxy | undefined): OutboundProxy | undefined {
  if (proxy === undefined || target.host === 'localhost' || isLoopbackAddress(target.host)) return undefined;
  return proxy.noProxy.some((entry) => isExempted(target, entry)) ? undefined : proxy;
}

/**
 * The proxy that an environment names, as most programs read it: `HTTPS_PROXY` and `NO_PROXY`, in capitals or not.
 * @throws TypeError for a text that is not the address of an HTTP proxy
 */
export function proxyOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): OutboundProxy | undefined {
  const named = environment['HTTPS_PROXY'] || environment['https_proxy'];
  if (named === undefined || named === '') return undefined;
  const { protocol, origin, username, password } = new URL(named.includes('://') ? named : `http://${named}`);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`a proxy by ${protocol}// is not supported`);
  const credentials = username === '' ? undefined : `${decoded(username)}:${decoded(password)}`;
  return { url: origin, credentials, noProxy: entriesOf(environment['NO_PROXY'] || environment['no_proxy'] || '') };
}

/** A password may hold a percent sign that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const OK_STATUS = 200;

/**
 * A connection through the proxy to a host, or to an address that was vetted: then the proxy has no name to resolve anew.
 * @throws Error where the proxy does not answer, or refuses
 */
export function openTunnel(proxy: OutboundProxy, target: Target, signal: AbortSignal): Promise<Socket> {
  const { protocol, hostname, port } = new URL(proxy.url);
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const options: RequestOptions = {
    method: 'CONNECT',
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? undefined : Number(port),
    path: authority,
    headers: { host: authority, ...authorization(proxy) },
    agent: false,
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const request = protocol === 'https:' ? requestHttps(options) : requestHttp(options);
  request.once('connect', ({ statusCode }, socket) => {
    // Until it is encrypted, no one else listens for its end.
    socket.on('error', () => undefined);
    if (statusCode === OK_STATUS) {
      resolve(socket as Socket);
      return;
    }
    socket.destroy();
    reject(new Error(`the proxy ${proxy.url} answers ${statusCode} to CONNECT`));
  });
  // A server that is no proxy answers as to any request.
  request.once('response', (response) => {
    response.destroy();
    reject(new Error(`the proxy ${proxy.url} answers ${response.statusCode} to CONNECT`));
  });
  request.once('error', reject);
  request.end();
  return promise;
}

const authorization = ({ credentials }: OutboundProxy): Record<string, string> =>
  credentials === undefined
    ? {}
    : { 'proxy-authorization': `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` };
