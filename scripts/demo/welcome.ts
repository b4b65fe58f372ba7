import type { Stack } from './stack.ts';

/** The text for a person once everything runs: addresses, and what to try. */
export function welcome(stack: Stack, folder: string): string {
  const { connector, agent, irc, owner, channels, termprog } = stack;
  const channel = channels[0] ?? '';
  return `
Homeport is up.

  connector  ${connector.baseUrl}        settings ${connector.baseUrl}/settings
             MCP endpoint ${connector.baseUrl}/mcp
             sign in as the owner: login "${owner}" (the development identity provider asks for no password)
  agent      ${agent.baseUrl}        token ${agent.token}
  termprog   ${termprog.screen.description}
  IRC        ${irc.host} port ${irc.port}, network ${irc.network}, channels ${channels.join(' ')}
  files      ${folder} (configuration, logs, data; removed at the end)

Try next:
  1. open ${connector.baseUrl}/settings, sign in as ${owner}, enable ${channel}
  2. add ${connector.baseUrl}/mcp to an MCP client: it registers itself and asks for your consent
  3. join ${channel} from any IRC client at ${irc.host}:${irc.port} and talk to the agent
  4. curl -H 'Authorization: Bearer ${agent.token}' ${agent.baseUrl}/v1/report

Ctrl-C ends everything.
`;
}
