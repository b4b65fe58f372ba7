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
  'ai-sdk': { '@ai-sdk/mcp': '2.0.99', zod: '4.6.7' },
  'openai-agents': { '@openai/agents': '0.20.0', '@modelcontextprotocol/sdk': '1.32.2', zod: '4.6.7' },
  // The second generation leaves its client to a package that the registry does not have.
  'mcp-use': { 'mcp-use': '1.34.6', '@modelcontextprotocol/sdk': '1.32.2' },
  mcporter: { mcporter: '0.12.3' },
  mcpc: { '@apify/mcpc': '0.2.6' },
  opencode: { 'opencode-ai': '1.18.33' },
  'claude-code': { '@anthropic-ai/claude-code': '2.1.332' },
  'gemini-cli': { '@google/gemini-cli': '0.61.0' },
  codex: { '@openai/codex': '0.171.0' },
  'inspector-2': { '@modelcontextprotocol/inspector': '2.12.0' },
  'inspector-1': { '@modelcontextprotocol/inspector': '1.0.3' },
} satisfies Record<string, Record<string, string>>;

export type ClientName = keyof typeof clientPackages;
