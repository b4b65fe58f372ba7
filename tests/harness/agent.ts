import { isDeepStrictEqual } from 'node:util';
import {
  type CallToolResult,
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ConnectorStack } from './start-connector.ts';

export const AGENT_REDIRECT_URI = 'http://127.0.0.1:9/callback';

/** The client's side of OAuth, kept in memory: registration, tokens, and where the browser was sent. */
export class AgentCredentials implements OAuthClientProvider {
  readonly redirectUrl = AGENT_REDIRECT_URI;
  client: StoredOAuthClientInformation | undefined;
  stored: StoredOAuthTokens | undefined;
  sentTo: URL | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  readonly clientMetadata = {
    client_name: 'Agent of the tests',
    redirect_uris: [AGENT_REDIRECT_URI],
    token_endpoint_auth_method: 'none',
  };

  state = () => 'state-of-the-agent';
  clientInformation = () => this.client;
  discoveryState = () => this.#discovered;
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  tokens = () => this.stored;
  codeVerifier = () => this.#verifier;
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.stored = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }
}

export interface Agent extends AsyncDisposable {
  credentials: AgentCredentials;
  client: Client;
  accessToken: string;
  /** Calls a tool and returns its result. @throws Error with the tool's own words when it refused */
  call(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The result as it is, refusals too. */
  attempt(tool: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

export interface AgentOptions {
  scope?: string;
  /** Path of the endpoint. */
  path?: '/mcp' | '/mcp/';
}

/** The connector to which agents and browsers connect. */
type Door = Pick<ConnectorStack, 'baseUrl' | 'signIn'>;

/** Connects the official client as a new agent of a person: registers, has the person consent, gets tokens. */
export async function connectAgent(
  stack: Door,
  login: string,
  { scope = 'irc:read irc:write', path = '/mcp' }: AgentOptions = {},
): Promise<Agent> {
  const credentials = new AgentCredentials();
  const endpoint = new URL(path, stack.baseUrl);
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const first = new StreamableHTTPClientTransport(endpoint, { authProvider: credentials });
  try {
    await client.connect(first);
    throw new Error('the endpoint let an agent in that has no token');
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  if (credentials.sentTo === undefined) throw new Error('the client was not sent to the consent page');
  // The challenge names the least scope; an agent that will also write asks for both at once.
  credentials.sentTo.searchParams.set('scope', scope);
  const callback = await consent(stack, login, credentials.sentTo);
  await first.finishAuth(callback.searchParams);
  await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: credentials }));
  const fits = await outputSchemas(client);
  const attempt = async (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> => {
    const result = await client.callTool({ name, arguments: args });
    fits(name, result);
    return result;
  };
  return {
    credentials,
    client,
    get accessToken() {
      return credentials.stored?.access_token ?? '';
    },
    attempt,
    call: async (name, args) => {
      const result = await attempt(name, args);
      if (result.isError === true) throw new Error(JSON.stringify(result.content));
      return result.structuredContent as Record<string, unknown>;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Checks results against what their tools are listed with, as a strict client does. @throws Error for one that does not fit */
async function outputSchemas(client: Client): Promise<(tool: string, result: CallToolResult) => void> {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  const { tools } = await client.listTools();
  const validators = new Map(
    tools.map(({ name, outputSchema = {} }) => [name, ajv.compile(outputSchema as AnySchemaObject)]),
  );
  return (tool, { isError, content, structuredContent }) => {
    if (isError === true) return;
    const validate = validators.get(tool);
    if (validate?.(structuredContent) !== true) {
      throw new Error(`${tool} returned what its schema does not allow: ${ajv.errorsText(validate?.errors)}`);
    }
    const [block] = content;
    const text = block?.type === 'text' ? block.text : '';
    if (!isDeepStrictEqual(JSON.parse(text), structuredContent)) throw new Error(`${tool} says two different things`);
  };
}

/** Lets a person decide in a browser, who ticks all scopes or those given; returns the redirect URI with what the server added. */
export async function consent(
  stack: Door,
  login: string,
  authorizationUrl: URL,
  decision: 'allow' | 'deny' = 'allow',
  scopes?: readonly string[],
): Promise<URL> {
  const browser = await stack.signIn(login);
  browser.stopAt = (url) => url.origin !== stack.baseUrl;
  const page = await browser.open(authorizationUrl.href);
  if (page.status === 303) return page.url;
  const answer = await browser.submit(page, { decision, scope: scopes ?? boxesOf(page.body) });
  if (answer.url.origin === stack.baseUrl) throw new Error(`consent ended at ${answer.url}:\n${answer.body}`);
  return answer.url;
}

/** The scopes that a consent page asks about; those of earlier versions only listed them. */
const boxesOf = (body: string): string[] =>
  [...body.matchAll(/<input type="checkbox" name="scope" value="([^"]+)"/g)].map(([, scope = '']) => scope);
