import { waitFor } from '../../../stack/wait-for.ts';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { OTHER_NICK } from './conversation.ts';
import { type ConnectorStep, callTool, type Found, type Means, present, REQUEST_DEADLINE_MS } from './journey.ts';

/** From what is said on IRC to the agent's own address. */
const DELIVERY_DEADLINE_MS = 5_000;

interface EventAnswer {
  result?: { id: string; refreshBefore: string | null };
  error?: { code: number; message: string };
}

/** An agent that sleeps until somebody says its person's nick. */
export function mentionSteps(
  { connector, channels, testCallbackHosts }: Stack,
  { parts }: Means,
  found: Found,
): ConnectorStep[] {
  const [channel = ''] = channels;
  const [host = ''] = testCallbackHosts;
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
      proves: 'a mention wakes an agent: it is delivered, signed, to the address that the agent subscribed',
      run: async () => {
        const receiver = await startWebhookReceiver(host);
        parts.add(() => receiver.close());
        const { result, error } = await subscribe({ url: receiver.url, secret: receiver.secret });
        expectThat(result !== undefined, `a subscription, the connector says: ${error?.message}`);
        const { nick } = await callTool(present(found.agent), 'see_account_information');
        const text = `${nick}: wake up ${Date.now()}`;
        present(found.irc).say(channel, text);
        const mention = await waitFor(
          'the mention is delivered',
          () => receiver.mentions.find(({ data }) => data.text === text),
          { timeoutMs: DELIVERY_DEADLINE_MS },
        );
        expectThat(mention.data.sender === OTHER_NICK, `the sender ${OTHER_NICK}, got ${mention.data.sender}`);
        const { entries } = await callTool(present(found.agent), 'read_history', { channel, mode: 'recent' });
        const entry = (entries as { entryId: string; text: string }[]).find((candidate) => candidate.text === text);
        expectThat(entry?.entryId === mention.data.entryId, 'the mention under the same id in the history');
        const { mentionEvents } = await callTool(present(found.agent), 'see_account_information');
        const { state } = mentionEvents as { state: string };
        expectThat(state === 'accepted', `the subscription reported as accepted, got ${state}`);
      },
    },
  ];
}
