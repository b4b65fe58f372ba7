/**
 * bare-server.ts PORT ANSWERS
 * The tools of the connector by the SDK alone: the same schemas, answers from a file, nobody to ask for a token.
 */
import { readFileSync } from 'node:fs';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { INSTRUCTIONS } from '../../src/connector/mcp/instructions.ts';
import { tools } from '../../src/connector/mcp/tools/index.ts';
import type { CallAnswer } from './client.ts';

const [port, file = ''] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, CallAnswer>;

/** The SDK's way of serving without sessions: a server for each request. */
function createBareServer(): McpServer {
  const server = new McpServer(
    { name: 'bare', version: '1' },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
  );
  for (const { name, title, description, input, output, annotations } of tools) {
    server.registerTool(
      name,
      { title, description, inputSchema: input, outputSchema: output, annotations },
      async () => {
        const structuredContent = answers[name]?.structuredContent ?? {};
        return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
      },
    );
  }
  return server;
}

// Express, because the SDK's own way into Node is its adapter for it.
express()
  .post('/mcp', toNodeHandler(createMcpHandler(createBareServer)))
  .listen(Number(port), '127.0.0.1');
