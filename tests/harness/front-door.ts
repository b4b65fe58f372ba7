import type { Scope } from '../../src/connector/domain/scope.ts';
import type { VerifiedToken } from '../../src/connector/domain/verified-token.ts';
import { mcpRoute } from '../../src/connector/mcp/endpoint.ts';
import { methods } from '../../src/connector/mcp/methods/index.ts';
import { createMetrics } from '../../src/connector/metrics/connector-metrics.ts';
import type { Presences } from '../../src/connector/presence/presences.ts';
import { restRoutes } from '../../src/connector/rest/router.ts';
import type { ServiceSettings } from '../../src/connector/services/context.ts';
import { createServices, type Services } from '../../src/connector/services/index.ts';
import { startEdge } from './edge-server.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { type PlayedBouncer, playBouncer } from './played-bouncer.ts';
import { serviceContext } from './use-case-context.ts';

/** Answer of a tool. */
export interface ToolAnswer {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** A client of a person, with a token. */
export interface DoorAgent {
  accountId: string;
  /** The answer of a tool as it is, refusals too. @throws Error where the endpoint did not let the call through to it */
  attempt(tool: string, args?: object): Promise<ToolAnswer>;
  /** Calls a tool and returns its result. @throws Error with the tool's own words when it refused */
  call(tool: string, args?: object): Promise<Record<string, unknown>>;
  /** The HTTP answer to a call of a tool. */
  ask(tool: string, args?: object): Promise<Response>;
  get(path: string): Promise<Response>;
  /** A text is sent as it is, anything else as JSON. */
  post(path: string, body: unknown, more?: Record<string, string>): Promise<Response>;
}

export interface AgentChoice {
  /** Another name is another client of the same person. */
  client?: string;
  scopes?: Scope[];
}

/**
 * The connector's MCP and REST interfaces over HTTP, in the test's own process: with a real store, under a clock that the
 * test moves, and before a bouncer that it plays.
 */
export interface FrontDoor extends AsyncDisposable {
  open: OpenStore;
  services: Services;
  presences: Presences;
  bouncer: PlayedBouncer;
  /** Returns an agent of a person. A person without an account gets one with both channels enabled. */
  agent(login: string, choice?: AgentChoice): Promise<DoorAgent>;
}

export const DOOR_CHANNELS = ['#ops', '#room'];

const ALL_SCOPES: Scope[] = ['irc:read', 'irc:write'];

/** Levels for metrics that the tests do not scrape. */
const NO_LEVELS = {
  ...{ sessionsOnline: 0, sessionsWanted: 0, networksConnected: 0 },
  ...{ waitingTasks: 0, waitingLines: 0, unindexedEntries: 0 },
};

export async function openFrontDoor(
  settings: Partial<ServiceSettings> = {},
  corsOrigins: readonly string[] = [],
): Promise<FrontDoor> {
  const open = await openStore();
  const bouncer = playBouncer();
  const context = serviceContext(open, { ircChannels: DOOR_CHANNELS, ...settings }, bouncer);
  const services = createServices(context);
  const { settingsUrl } = context.settings;
  const tokens: Record<string, VerifiedToken> = {};
  const edge = await startEdge({
    perClient: 1_000_000,
    tokens,
    guarded: [
      ...restRoutes(services),
      mcpRoute({
        baseUrl: 'http://127.0.0.1',
        corsOrigins: () => corsOrigins,
        services,
        methods,
        settings: { settingsUrl },
        measurements: createMetrics(() => NO_LEVELS, {
          deliveries: () => context.store.deliveries.counts(),
          orders: async () => 0,
        }).measurements,
        clock: open.clock,
        log: context.log,
      }),
    ],
  });
  return {
    open,
    services,
    presences: context.presence,
    bouncer,
    agent: async (login, { client = 'client', scopes = ALL_SCOPES } = {}) => {
      const accountId =
        (await open.store.accounts.findByLogin(login))?.accountId ?? (await open.account(login, DOOR_CHANNELS));
      const token = `${login} ${client} ${scopes.join('+')}`.replaceAll(/\W/g, '.');
      // Subscriptions of a client last as long as what it is allowed.
      await open.consents.begin({ accountId, clientId: client, clientName: client, scopes, grantHash: token });
      tokens[token] = { accountId, clientId: client, scopes, expiresAt: 4_000_000_000 };
      return agentWith(edge.url, token, accountId);
    },
    [Symbol.asyncDispose]: async () => {
      await edge[Symbol.asyncDispose]();
      await context.presence.close();
      await open[Symbol.asyncDispose]();
    },
  };
}

function agentWith(url: string, token: string, accountId: string): DoorAgent {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const get = (path: string) => fetch(url + path, { headers });
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const ask = (name: string, args: object = {}) =>
    post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const attempt = async (tool: string, args?: object): Promise<ToolAnswer> => {
    const answer = (await (await ask(tool, args)).json()) as { result?: ToolAnswer };
    if (answer.result === undefined) throw new Error(JSON.stringify(answer));
    return answer.result;
  };
  return {
    accountId,
    ask,
    get,
    post,
    attempt,
    call: async (tool, args) => {
      const { isError, content, structuredContent } = await attempt(tool, args);
      if (isError === true || structuredContent === undefined) throw new Error(JSON.stringify(content));
      return structuredContent;
    },
  };
}
