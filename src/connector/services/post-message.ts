import type { Caller } from '../domain/account.ts';
import { POST_WINDOW_MS, POSTS_PER_WINDOW } from '../domain/limits.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import { SlidingWindow } from '../domain/sliding-window.ts';
import { bouncerUnreachable, postRateExceeded } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requirePathChannel } from './require-account.ts';
import { sendMessage } from './send-message.ts';

/** The posts each account has made lately; there are never more windows than accounts. @spec connector#limits post rate */
export class PostRates {
  readonly #windows = new Map<string, SlidingWindow>();

  of(accountId: string): SlidingWindow {
    const known = this.#windows.get(accountId);
    if (known !== undefined) return known;
    const window = new SlidingWindow(POSTS_PER_WINDOW, POST_WINDOW_MS);
    this.#windows.set(accountId, window);
    return window;
  }
}

/**
 * Sends a message like `sendMessage`, within the account's rate per minute; only accepted messages count.
 * @throws ConnectorError rate_limited (RetryLater), channel_invalid, and those of `sendMessage`
 */
export async function postMessage(
  context: ServiceContext,
  rates: PostRates,
  caller: Caller,
  { channel, text }: { channel: string; text: string },
): Promise<OutgoingMessage> {
  requirePathChannel(await requireAccount(context, caller.accountId), channel);
  const window = rates.of(caller.accountId);
  const takenAt = context.clock.monotonic();
  // Taken before any await, so that several posts at once can't all get the last free place.
  const waitMs = window.take(takenAt);
  if (waitMs > 0) throw postRateExceeded(waitMs);
  try {
    const message = await sendMessage(context, caller, { channel, text, idempotencyKey: undefined });
    if (message.status === 'failed') throw bouncerUnreachable(new Error('the line could not be written'));
    return message;
  } catch (error) {
    window.giveBack(takenAt);
    throw error;
  }
}
