import { waitFor } from '../../../stack/wait-for.ts';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { connectIrc } from '../irc-client.ts';
import { type ConnectorStep, callTool as call, type Found, type Means, present } from './journey.ts';

const ECHO_DEADLINE_MS = 20_000;

/** The person on the other side of IRC. */
export const OTHER_NICK = 'grace';

/** A line to IRC and one back. */
export function conversationSteps({ irc, channels }: Stack, { parts }: Means, found: Found): ConnectorStep[] {
  const channel = channels[0] ?? '';
  const callTool = (name: string, args: Record<string, unknown>) => call(present(found.agent), name, args);
  return [
    {
      proves: 'the account goes online through the bouncer',
      run: async () => {
        await callTool('go_online', {});
        await waitFor(
          'the upstream connection is up',
          async () => (await callTool('see_account_information', {}))['upstreamConnected'] === true,
        );
        found.irc = await connectIrc(irc.host, irc.port, OTHER_NICK);
        const client = found.irc;
        parts.add(async () => client.close());
        found.irc.join(channel);
        await waitFor('the second person is in the channel', () =>
          present(found.irc).lines.some((line) => / 366 /.test(line)),
        );
      },
    },
    {
      proves: "the agent's line arrives at a second IRC client",
      run: async () => {
        const text = `hello from the agent ${Date.now()}`;
        await waitFor('the account is in the channel', async () =>
          JSON.stringify(await callTool('see_account_information', {})).includes(channel),
        );
        const sent = await callTool('send_message', { channel, text, idempotency_key: `check-${Date.now()}` });
        found.messageId = sent['messageId'] as string;
        await waitFor(
          'the line arrives',
          () => present(found.irc).lines.some((line) => line.includes(`PRIVMSG ${channel} :${text}`)),
          {
            timeoutMs: ECHO_DEADLINE_MS,
          },
        );
      },
    },
    {
      proves: "that client's line stands in the history, once, with its sender",
      run: async () => {
        const text = `hello from a person ${Date.now()}`;
        present(found.irc).say(channel, text);
        const entry = await waitFor('the line is in the history', async () => {
          const { entries } = (await callTool('read_history', { channel, mode: 'recent' })) as {
            entries: { sender: string; text: string }[];
          };
          const lines = entries.filter((candidate) => candidate.text === text);
          expectThat(lines.length <= 1, 'the line once');
          return lines[0];
        });
        expectThat(entry.sender === OTHER_NICK, `the sender ${OTHER_NICK}, got ${entry.sender}`);
      },
    },
  ];
}
