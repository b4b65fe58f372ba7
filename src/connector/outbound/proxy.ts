import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { isInNetwork, isLoopbackAddress } from './public-address.ts';

/** A proxy through which encrypted requests leave. */
export interface OutboundProxy {
  /** Without credentials. */
  url: string;
  /** User and password, as USER:PASSWORD; they go to the proxy only. */
  credentials?: string | undefined;
  /** Hosts that are reached without it, with all names below them, and networks as ADDRESS/BITS; `*` is all hosts. */
  noProxy: readonly string[];
}

/** The proxy for a host; undefined for one that is reached directly, as this machine always is. */
export function proxyFor(host: string, proxy: OutboundProxy | undefined): OutboundProxy | undefined {
  if (proxy === undefined || host === 'localhost' || isLoopbackAddress(host)) return undefined;
  return proxy.noProxy.some((exception) => covers(exception, host)) ? undefined : proxy;
}

const covers = (exception: string, host: string): boolean =>
  exception === '*' || host === exception || host.endsWith(`.${exception}`) || isInNetwork(host, exception);

/**
 * The proxy that an environment names, as most programs read it: `HTTPS_PROXY` and `NO_PROXY`, in capitals or not.
 * @throws TypeError for an address that is none
 */
export function proxyOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): OutboundProxy | undefined {
  const named = environment['HTTPS_PROXY'] || environment['https_proxy'];
  if (!named) return undefined;
  const { protocol, origin, username, password } = new URL(named.includes('://') ? named : `http://${named}`);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`${protocol} is not http: or https:`);
  const credentials = username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: origin, credentials, noProxy: hostsIn(environment['NO_PROXY'] || environment['no_proxy'] || '') };
}

const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((host) =>
      host
        .toLowerCase()
        .replace(/^\*?\./, '')
        .replace(/^\[(.*)\](:\d+)?$/, '$1')
        .replace(/^([^:]*):\d+$/, '$1'),
    )
    .filter((host) => host !== '');

const OK_STATUS = 200;

/**
 * A connection through the proxy to a host, or to an address that was vetted: then the proxy has no name to resolve anew.
 * @throws Error where the proxy does not answer, or refuses
 */
export function openTunnel(
  proxy: OutboundProxy,
  target: { host: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
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
