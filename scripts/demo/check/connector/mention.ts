import { waitFor } from '../../../stack/wait-for.ts';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { OTHER_NICK } from './conversation.ts';
import { type ConnectorStep, callTool, type Found, type Means, present, REQUEST_DEADLINE_MS } from './journey.ts';

/** Longest time from a line on IRC to its delivery at the agent's address. */
const DELIVERY_DEADLINE_MS = 5_000;

interface EventAnswer {
  result?: { id: string; refreshBefore: string | null };
  error?: { code: number; message: string };
}

/** An agent sleeps until a line on IRC mentions its person's nick. */
export function mentionSteps(
  { connector, channels, testCallbackHosts }: Stack,
  { parts }: Means,
  found: Found,
): ConnectorStep[] {
  const [channel = ''] = channels;
  const subscribe = async (delivery: { url: string; secret: string }): Promise<EventAnswer> => {
    const answer = await fetch(`${connector.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${present(present(found.agent).authorization.tokens()).access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'events/subscribe',
        params: { name: 'message.mention', arguments: { channel }, delivery: { mode: 'webhook', ...delivery } },
      }),
      signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
    });
    return (await answer.json()) as EventAnswer;
  };
  return [
    {
      proves: 'a mention wakes an agent: it is delivered, signed, to the addresses that the agent subscribed',
      run: async () => {
        const receivers = await Promise.all(testCallbackHosts.map(startWebhookReceiver));
        for (const receiver of receivers) parts.add(() => receiver.close());
        for (const { url, secret } of receivers) {
          const { result, error } = await subscribe({ url, secret });
          expectThat(result !== undefined, `a subscription of ${url}, the connector says: ${error?.message}`);
        }
        const { nick } = await callTool(present(found.agent), 'see_account_information');
        const text = `${nick}: wake up ${Date.now()}`;
        present(found.irc).say(channel, text);
        const delivered = await Promise.all(
          receivers.map(({ url, mentions }) =>
            waitFor(`the mention is delivered to ${url}`, () => mentions.find(({ data }) => data.text === text), {
              timeoutMs: DELIVERY_DEADLINE_MS,
            }),
          ),
        );
        const senders = delivered.map(({ data }) => data.sender);
        expectThat(
          senders.every((sender) => sender === OTHER_NICK),
          `the sender ${OTHER_NICK}, got ${senders.join()}`,
        );
        const { entries } = await callTool(present(found.agent), 'read_history', { channel, mode: 'recent' });
        const entry = (entries as { entryId: string; text: string }[]).find((candidate) => candidate.text === text);
        expectThat(
          delivered.every(({ data }) => data.entryId === entry?.entryId),
          'the mention under the same id in the history',
        );
        await waitFor('the account tells that it was accepted', async () => {
          const { mentionEvents } = await callTool(present(found.agent), 'see_account_information');
          return (mentionEvents as { state: string }).state === 'accepted';
        });
      },
    },
  ];
}
