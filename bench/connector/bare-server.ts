/**
 * bare-server.ts PORT ANSWERS
 * Serves the connector's tools by the SDK alone: the same schemas, answers from a file, and no check of tokens.
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

// Express is used, because the SDK has an adapter for it.
express()
  .post('/mcp', toNodeHandler(createMcpHandler(createBareServer)))
  .listen(Number(port), '127.0.0.1');
