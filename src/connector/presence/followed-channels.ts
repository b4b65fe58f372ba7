import { messageOf } from '../../kernel/errors.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { Generation } from './generation.ts';
import type { Joining } from './joining.ts';
import type { Link } from './link.ts';
import type { Mailbox } from './mailbox.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import type { Outbox } from './outbox.ts';
import { accountOf, networkNameOf, type PresenceContext } from './presence-context.ts';
import { Retry } from './retry.ts';

export interface FollowedChannelsParts {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  outbox: Outbox;
  joining: Joining;
  /** Whether the account is wanted online. */
  isWanted: () => boolean;
  /** The present session, or the attempt to attach. */
  link: () => Link | undefined;
  /** Runs work in the account's turn, if the account is still wanted online then. */
  run: (work: () => Promise<void>) => Promise<void>;
}

interface Attaching {
  user: BouncerUser;
  /** Whether the account has no session yet. */
  isNew: boolean;
}

/** Brings the bouncer, the database and the session in line with an account's enabled channels. */
export class FollowedChannels {
  readonly #parts: FollowedChannelsParts;
  readonly #retry: Retry;
  readonly #failure = new OngoingFailure();
  /** Channels that the bouncer and the database have; undefined while that is uncertain. */
  #followed: readonly string[] | undefined;
  /** Channels that the bouncer has joined and the session reports, as far as the last answers say. */
  #heard: readonly string[] = [];

  constructor(parts: FollowedChannelsParts) {
    this.#parts = parts;
    const follow = () => parts.run(() => this.follow());
    // An account that is offline has no channels to follow, so that the attempt succeeds there, too.
    this.#retry = new Retry({ attempt: () => follow().then(() => this.#retry.reset()) });
  }

  /** Whether what is said in the channel comes back: the bouncer has followed that it is enabled. */
  isHeard(channel: string): boolean {
    return this.#heard.includes(channel);
  }

  /**
   * Sets the account's channels before it attaches, or on its session if they have changed: the requests are expensive for
   * the bouncer.
   * @throws SessionEnded
   */
  async set(generation: Generation, account: Account, { user, isNew }: Attaching): Promise<void> {
    const { accountId, context } = this.#parts;
    const { store, bouncer, clock } = context;
    const channels = enabledChannels(account);
    if (!isNew && this.#followed?.join() === channels.join()) return;
    this.#followed = undefined;
    await generation.after(bouncer.setChannels(user, channels));
    await generation.after(store.capture.begin(accountId, networkNameOf(context, account), channels, clock.now()));
    this.#followed = channels;
    this.#heard = channels;
  }

  /**
   * Follows newly enabled channels, and drops lines that wait for others; call it in the account's turn.
   * ended-ok: the bouncer and the database get the channels for each session.
   */
  async follow(): Promise<void> {
    const { accountId, context, joining, mailbox, outbox, isWanted, link } = this.#parts;
    const { store, bouncer, clock, log } = context;
    // A plan from before is done with this; one that comes from here on may be about a later choice.
    this.#retry.cancel();
    try {
      const account = await accountOf(context, accountId);
      const channels = enabledChannels(account);
      joining.channels = channels;
      this.#followed = undefined;
      this.#heard = this.#heard.filter((channel) => channels.includes(channel));
      await outbox.giveUpDisabled(channels);
      if (!isWanted()) return;
      await store.capture.begin(accountId, networkNameOf(context, account), channels, clock.now());
      await link()?.follow(channels);
      await bouncer.setChannels(await store.accounts.bouncerUser(accountId), channels);
      this.#followed = channels;
      this.#heard = channels;
    } catch (error) {
      const reason = messageOf(error);
      this.#failure.failed(reason, (count) => {
        log.warn({ account: accountId, reason, count }, 'channels not set');
      });
      throw error;
    }
    this.#failure.succeeded();
    this.#retry.reset();
    mailbox.enqueue(() => outbox.drain());
  }

  /** Plans a retry, because the channels could not be followed now. */
  followLater(): void {
    this.#retry.later();
  }

  /** Cancels the retry, because the account is not wanted online any more. */
  stop(): void {
    this.#retry.stop();
  }
}
