import {
  type AuthInfo,
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { VERSION } from '../../kernel/version.ts';
import type { Caller } from '../domain/account.ts';
import type { CallRecords } from '../ports/call-records.ts';
import type { Measurements, ToolOutcome } from '../ports/measurements.ts';
import type { Services } from '../services/index.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { Method } from './methods/define-method.ts';
import { scopeChallenge } from './scope-challenge.ts';
import { ToolCalls } from './tool-calls.ts';
import { inputSchema, outputSchema } from './tool-schema.ts';
import type { ToolSettings } from './tools/define-tool.ts';
import { tools } from './tools/index.ts';

/**
 * Time for which clients may cache the list: the tools are the same for every client and change with a new version
 * only.
 */
const LIST_TTL_MS = 3_600_000;

const SECOND_MS = 1_000;

/** Clients look for events in either of two places. */
const CAPABILITIES = {
  tools: { listChanged: false },
  events: {},
  extensions: { 'io.modelcontextprotocol/events': {} },
};

/**
 * Code of a method's refusal, from the range that JSON-RPC leaves to servers. The reason stands in the error's data.
 */
const REFUSED = -32_000;

export interface McpOptions {
  services: Services;
  /** Methods beside those of the protocol. */
  methods: readonly Method[];
  settings: ToolSettings;
  measurements: Measurements;
  /** Where calls are recorded for owners; undefined if they are not. */
  records?: CallRecords | undefined;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
}

const served = tools.map((tool) => ({ tool, input: inputSchema(tool.input), output: outputSchema(tool.output) }));

/** Creates a server for one request at a time. The caller and the counted calls come with each request. */
export function createServer(options: McpOptions): McpServer {
  const server = new McpServer(
    { name: 'homeport-connector', title: 'Homeport IRC', version: VERSION },
    {
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
      cacheHints: {
        'server/discover': { ttlMs: LIST_TTL_MS, cacheScope: 'public' },
        'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' },
      },
    },
  );
  for (const one of served) registerTool(server, one, options);
  for (const method of options.methods) registerMethod(server, method, options);
  return server;
}

function registerTool(
  server: McpServer,
  { tool, input: taken, output: given }: (typeof served)[number],
  { services, settings, clock, measurements, log }: McpOptions,
): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: taken,
      outputSchema: given,
      annotations: tool.annotations,
      scopeChallenge: ({ authInfo }) => scopeChallenge(tool.scope, authInfo, settings.settingsUrl),
    },
    async (input, { http }): Promise<CallToolResult> => {
      const { calls, ...caller } = requesterOf(http?.authInfo);
      calls?.reached(tool.name);
      const startedAt = clock.monotonic();
      const measure = (outcome: ToolOutcome): void => {
        calls?.ended(tool.name, outcome);
        measurements.toolCalled(tool.name, outcome, (clock.monotonic() - startedAt) / SECOND_MS);
      };
      try {
        const result = await tool.handle(input, { caller, services, settings });
        measure('ok');
        const text = tool.linesOf?.(input, result)?.join('\n') ?? JSON.stringify(result);
        return { content: [{ type: 'text', text }], structuredContent: result };
      } catch (error) {
        measure(error instanceof AppError ? 'refused' : 'failed');
        return failure(tool.name, error, log);
      }
    },
  );
}

/**
 * Registers a method. Its scope is checked before the request comes to a server, together with those of all calls of a
 * batch.
 */
function registerMethod(server: McpServer, method: Method, { services, settings, log }: McpOptions): void {
  // The library does not take out `_meta`, which belongs to the message and not to the method.
  const params = method.params.extend({ _meta: z.unknown().optional() });
  server.server.setRequestHandler(method.name, { params }, async ({ _meta, ...given }, { http }) => {
    const { calls, ...caller } = requesterOf(http?.authInfo);
    try {
      return method.result.parse(await method.handle(given, { caller, services, settings }));
    } catch (error) {
      calls?.ended(method.name, error instanceof AppError ? 'refused' : 'failed');
      const { message } = reported({ method: method.name }, error, log);
      if (!(error instanceof AppError)) throw new ProtocolError(ProtocolErrorCode.InternalError, message);
      const refusal = method.refusalOf?.(error) ?? { code: REFUSED, data: { reason: error.code } };
      throw new ProtocolError(refusal.code, message, refusal.data);
    }
  });
}

/** @throws Error for a request whose token was not checked */
function requesterOf(authInfo: AuthInfo | undefined): Caller & { calls: ToolCalls | undefined } {
  const { accountId, calls } = authInfo?.extra ?? {};
  if (authInfo === undefined || typeof accountId !== 'string') throw new Error('a tool was called without an account');
  return { accountId, clientId: authInfo.clientId, calls: calls instanceof ToolCalls ? calls : undefined };
}

function failure(tool: string, error: unknown, log: Logger): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: reported({ tool }, error, log).message }] };
}

/**
 * The part of an error that the peer may read. A refusal says how the model can go on; details of a bug go to the log
 * only.
 */
function reported(what: object, error: unknown, log: Logger): { message: string } {
  if (!(error instanceof AppError)) {
    log.error({ ...what, err: error }, 'call failed');
    return { message: 'something went wrong in this service: try again later' };
  }
  if (error.cause !== undefined)
    log.warn({ ...what, code: error.code, reason: messageOf(error.cause) }, 'call refused');
  return error;
}
