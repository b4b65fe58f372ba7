import { createHash, randomBytes } from 'node:crypto';
import { AGENT_REDIRECT_URI, consent } from './agent.ts';
import type { ConnectorStack } from './start-connector.ts';

/** The connector to which requests go. */
type Door = Pick<ConnectorStack, 'baseUrl'>;

/** OAuth by hand, for requests that no library would send. */
export async function registerClient(stack: Door, metadata: Record<string, unknown> = {}): Promise<string> {
  const response = await postRegistration(stack, metadata);
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  return clientId;
}

export function postRegistration(stack: Door, metadata: Record<string, unknown>): Promise<Response> {
  return fetch(`${stack.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [AGENT_REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      client_name: 'By hand',
      ...metadata,
    }),
  });
}

export interface Authorization {
  url: URL;
  verifier: string;
}

/** An authorization request; an undefined parameter is left out. */
export function authorization(
  stack: Door,
  clientId: string,
  changes: Record<string, string | undefined> = {},
): Authorization {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL('/oauth/authorize', stack.baseUrl);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: AGENT_REDIRECT_URI,
    state: 'st/ate +%',
    scope: 'irc:read irc:write',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: stack.baseUrl,
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return { url, verifier };
}

/** A code that a person consented to, with its verifier. */
export async function codeFor(stack: Pick<ConnectorStack, 'baseUrl' | 'signIn'>, login: string, clientId: string) {
  const { url, verifier } = authorization(stack, clientId);
  const callback = await consent(stack, login, url);
  return { code: callback.searchParams.get('code') ?? '', verifier };
}

export interface TokenAnswer {
  status: number;
  access_token: string;
  refresh_token: string;
  scope: string;
  error: string | undefined;
}

export async function postToken(
  stack: Door,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const response = await fetch(`${stack.baseUrl}/oauth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
  return { status: response.status, ...((await response.json()) as Omit<TokenAnswer, 'status'>) };
}

export function redeem(
  stack: Door,
  clientId: string,
  { code, verifier }: { code: string; verifier: string },
  changes: Record<string, string> = {},
): Promise<TokenAnswer> {
  return postToken(stack, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: AGENT_REDIRECT_URI,
    resource: stack.baseUrl,
    ...changes,
  });
}

export const refresh = (stack: Door, clientId: string, token: string): Promise<TokenAnswer> =>
  postToken(stack, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });

/** Status of a tools/list with the token, by a client of the older era. */
export async function statusWith(stack: Door, token: string): Promise<number> {
  return (await postMcp(stack, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authorization: `Bearer ${token}` }))
    .status;
}

export function postMcp(
  stack: Door,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<Response> {
  return fetch(`${stack.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
