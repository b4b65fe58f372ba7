import { startReceiver, type WebhookReceiver } from '../../tests/harness/webhook-receiver.ts';
import type { SeenEvent } from './observations.ts';
import type { Random } from './random.ts';

/** Share of deliveries that the receiver refuses once: they are tried again. */
const REFUSED = 0.03;
const REFUSAL = 503;

/** A receiver of all accounts, whose paths are their names. It writes down the events that it has accepted. */
export async function startEvents(random: Random): Promise<{ receiver: WebhookReceiver; events: SeenEvent[] }> {
  const events: SeenEvent[] = [];
  const receiver = await startReceiver({
    answer: ({ path, body, headers }, response) => {
      const { type, data } = JSON.parse(body) as { type?: string; data?: { entryId: string; text: string } };
      if (type === 'verification' || data === undefined) return undefined;
      if (random.isTrue(REFUSED)) {
        response.writeHead(REFUSAL).end();
        return 'answered';
      }
      const account = path.split('/').at(-1) ?? '';
      events.push({ account, eventId: String(headers['webhook-id']), ...data, at: Date.now() });
      return undefined;
    },
  });
  return { receiver, events };
}
