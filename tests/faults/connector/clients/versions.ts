/** The packages of each client that is tried, at exact versions. The guide has the same table. */
export const clientPackages = {
  'mcp-remote': { 'mcp-remote': '0.15.1', '@modelcontextprotocol/sdk': '1.32.2' },
  'first-sdk': { '@modelcontextprotocol/sdk': '1.32.2' },
  langchain: {
    '@langchain/mcp-adapters': '1.1.4',
    '@langchain/core': '1.4.0',
    '@langchain/langgraph': '1.7.3',
    '@modelcontextprotocol/sdk': '1.32.2',
  },
  'ai-sdk': { '@ai-sdk/mcp': '1.0.101', zod: '4.6.7' },
  'openai-agents': { '@openai/agents': '0.20.0', '@modelcontextprotocol/sdk': '1.32.2', zod: '4.6.7' },
  'mcp-use': { 'mcp-use': '1.34.6', '@modelcontextprotocol/sdk': '1.32.2' },
  'claude-code': { '@anthropic-ai/claude-code': '2.1.197' },
  codex: { '@openai/codex': '0.171.0' },
  'inspector-2': { '@modelcontextprotocol/inspector': '2.12.0' },
  'inspector-1': { '@modelcontextprotocol/inspector': '1.0.3' },
} satisfies Record<string, Record<string, string>>;

export type ClientName = keyof typeof clientPackages;
