import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { entriesOf, isExempted, type Target } from './no-proxy.ts';
import { isLoopbackAddress } from './public-address.ts';

/** A proxy through which encrypted requests leave. */
export interface OutboundProxy {
  /** Address without credentials. */
  url: string;
  /** User and password, as USER:PASSWORD; they go to the proxy only. */
  credentials?: string | undefined;
  /** Targets that are reached without it, in lower case, in the form of `NO_PROXY`. */
  noProxy: readonly string[];
}

/** The proxy for a target; undefined for one that is reached directly, as this machine always is. */
export function proxyFor(target: Target, proxy: OutboundProxy | undefined): OutboundProxy | undefined {
  if (proxy === undefined || target.host === 'localhost' || isLoopbackAddress(target.host)) return undefined;
  return proxy.noProxy.some((entry) => isExempted(target, entry)) ? undefined : proxy;
}

/**
 * Reads the proxy of an environment as most programs do: from `HTTPS_PROXY` and `NO_PROXY`, in capitals or small
 * letters.
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

/** Decodes a user or password, if it can be: a password may contain a percent sign that is not an encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that is not an encoding is one of the text.
    return text;
  }
}

const OK_STATUS = 200;

/**
 * Opens a connection through the proxy to a host, or to a vetted address, so that the proxy resolves no name.
 * @throws Error if the proxy does not answer, or refuses
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
    // The socket has no other listener for its error until it is encrypted.
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
