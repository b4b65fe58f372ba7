import { waitFor } from '../../../stack/wait-for.ts';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { type ConnectedAgent, type ConnectorStep, callTool, type Found, present } from './journey.ts';

const UNREAD_MAX = 200;

interface Batch {
  entries: { entryId: string; text: string; mention?: boolean }[];
}

/** Two agents that read and acknowledge independently, and the search. */
export function readingSteps({ channels }: Stack, found: Found): ConnectorStep[] {
  const channel = channels[0] ?? '';
  const sessionOf = async (agent: ConnectedAgent) => {
    const { sessionId, nick } = await callTool(agent, 'see_account_information');
    const read = async () =>
      (await callTool(agent, 'read_history', {
        channel,
        mode: 'unread',
        session_id: sessionId,
        limit: UNREAD_MAX,
      })) as unknown as Batch;
    return {
      nick: nick as string,
      read,
      acknowledge: async ({ entries }: Batch) =>
        callTool(agent, 'ack_messages', { channel, session_id: sessionId, entry_id: entries.at(-1)?.entryId }),
    };
  };
  const has = ({ entries }: Batch, text: string): boolean => entries.some((entry) => entry.text === text);
  let said = '';
  return [
    {
      proves: 'two agents have unread lines of their own, each until it acknowledges them',
      run: async () => {
        const [first, second] = [await sessionOf(present(found.agent)), await sessionOf(present(found.sister))];
        said = `${first.nick.toUpperCase()}, are you there? ${Date.now()}`;
        // Earlier entries are acknowledged, so that the next batch has the line.
        for (const session of [first, second]) {
          const batch = await session.read();
          if (batch.entries.length > 0) await session.acknowledge(batch);
        }
        present(found.irc).say(channel, said);
        const batch = await waitFor('the line is unread', async () => {
          const unread = await first.read();
          return has(unread, said) && unread;
        });
        expectThat(batch.entries.find(({ text }) => text === said)?.mention === true, 'the line marked as a mention');
        expectThat(JSON.stringify(await first.read()) === JSON.stringify(batch), 'the same batch again');
        await first.acknowledge(batch);
        expectThat(!has(await first.read(), said), 'the line is no longer unread for who acknowledged it');
        expectThat(has(await second.read(), said), 'the line is still unread for the other agent');
      },
    },
    {
      proves: 'the search finds that line, in whatever case',
      run: async () => {
        const { entries } = (await callTool(present(found.sister), 'search_history', {
          phrase: said.toLowerCase(),
        })) as unknown as Batch;
        expectThat(entries.length === 1 && entries[0]?.text === said, 'the one line');
      },
    },
    {
      proves: 'the sent message is known to have come back through the bouncer',
      run: async () => {
        await waitFor('the message is echoed', async () => {
          const { status } = await callTool(present(found.sister), 'get_message_status', {
            message_id: present(found.messageId),
          });
          return status === 'echoed';
        });
      },
    },
  ];
}
