import type { DoorAgent } from './front-door.ts';
import { RECEIVER_SECRET } from './webhook-receiver.ts';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
};

/** The generations of the protocol: the one that begins with `initialize`, and the one in which each call stands for itself. */
export const ERAS = ['older', 'new'] as const;
export type Era = (typeof ERAS)[number];

export interface RpcAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** Calls a method of the MCP endpoint as a client of that era does. */
export async function callMethod(
  agent: DoorAgent,
  method: string,
  params: object = {},
  era: Era = 'new',
): Promise<RpcAnswer> {
  const isNew = era === 'new';
  const message = { jsonrpc: '2.0', id: 1, method, params: isNew ? { ...params, _meta: META } : params };
  const headers = isNew ? { 'mcp-protocol-version': VERSION, 'mcp-method': method } : {};
  return (await (await agent.post('/mcp', message, headers)).json()) as RpcAnswer;
}

/** Parameters of a subscription to mentions. */
export const mentionsAt = (url: string, filters: object = {}, secret: string = RECEIVER_SECRET) => ({
  name: 'message.mention',
  arguments: filters,
  delivery: { mode: 'webhook', url, secret },
});
