import type { BouncerAccount } from '../ports/bouncer.ts';
import type { BouncerEvents, BouncerSession } from '../ports/bouncer-session.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import { CatchUp, COARSE_STORE } from './catch-up.ts';
import { Generation, SessionEnded } from './generation.ts';
import type { HeldLines } from './held-lines.ts';
import type { Joining } from './joining.ts';
import type { LoginRecord } from './login-record.ts';
import type { Mailbox } from './mailbox.ts';
import { networkNameOf, type PresenceContext } from './presence-context.ts';

/** Wait before another request, after the bouncer refused to replay a channel. */
const REPLAY_RETRY_MS = 30_000;

/** Events of a session besides its lines; an ended session reports no events. */
export interface LinkEvents extends Omit<BouncerEvents, 'onLine' | 'onReplayed' | 'onReplayRefused' | 'onClose'> {
  /** Called when the session ended by itself. */
  onEnded(): void;
}

export interface LinkOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  /** The account's live lines that wait for missed ones. */
  held: HeldLines;
  events: LinkEvents;
}

/**
 * One session with the bouncer, from the attempt to attach to its end. It stores the session's lines through the
 * mailbox and forwards its other events to `Connection`.
 */
export class Link {
  readonly generation = new Generation();
  /** Name of its network, from the attempt to attach on. */
  network: string | undefined;
  readonly #options: LinkOptions;
  readonly #catchUp: CatchUp;
  #session: BouncerSession | undefined;
  #hadServerEcho: boolean | undefined;
  /** Time at which it was attached, milliseconds since 1970. */
  #since = 0;

  constructor(options: LinkOptions) {
    const { accountId, context, held } = options;
    this.#options = options;
    this.#catchUp = new CatchUp(accountId, context, this.generation, held);
  }

  /** Session; undefined before it is attached, and after its end. */
  get session(): BouncerSession | undefined {
    return this.generation.isCurrent ? this.#session : undefined;
  }

  /**
   * Returns the status of the session and of these channels; undefined without a session.
   * @param nickRefusal why the network refused the wanted nick
   */
  status(
    joining: Pick<Joining, 'channels' | 'reasonOf'>,
    nickRefusal: string | undefined,
    login: Pick<LoginRecord, 'account' | 'problem' | 'masked'>,
  ): PresenceStatus | undefined {
    const { session } = this;
    if (session === undefined) return undefined;
    const { nick, upstream, isAnswering, joinedChannels } = session;
    const shown = (words: string | undefined) => (words === undefined ? undefined : login.masked(words));
    const reasons = joining.channels.map((channel) => [channel, shown(joining.reasonOf(channel))] as const);
    const problems = [
      ...this.#problemsOf(session, nickRefusal),
      ...(login.problem === undefined ? [] : [login.problem]),
    ];
    return {
      sessionSince: this.#since,
      ...{ nick, nickRefusal: shown(nickRefusal) ?? null, upstream, isAnswering, joinedChannels },
      notJoined: Object.fromEntries(reasons.filter((reason): reason is [string, string] => reason[1] !== undefined)),
      loggedInAs: login.account ?? null,
      problems: problems.map((words) => login.masked(words)),
    };
  }

  /** Attaches and begins to catch up. @throws SessionEnded, ConnectorError bouncer_unreachable, provisioning_failed */
  async attach(account: BouncerAccount, channels: readonly string[]): Promise<void> {
    const { context, mailbox } = this.#options;
    this.network = networkNameOf(context, account.user);
    this.#catchUp.network = this.network;
    // ended-ok: a session that came too late is closed.
    const session = await context.bouncer.attach(account, channels, this.#events());
    if (!this.generation.isCurrent) {
      session.close();
      throw new SessionEnded();
    }
    this.#session = session;
    this.#hadServerEcho = session.hasServerEcho;
    this.#since = context.clock.now();
    mailbox.flow = session;
    this.#options.events.onChanged();
    // Without catching up it would be unknown whether the history is complete. ended-ok: it checks the session itself.
    await this.#catchUp.start(session, channels);
  }

  /** Captures exactly these channels. */
  async follow(channels: readonly string[]): Promise<void> {
    this.session?.setChannels(channels);
    // ended-ok: catching up checks the session itself.
    await this.#catchUp.follow(channels);
  }

  /**
   * Ends the session or the attempt, after which none follows soon; the bouncer keeps the network connected. Lines
   * received before are stored.
   * @param isSilent whether the bouncer is to see no end yet
   */
  end(isSilent = false): void {
    if (!this.generation.isCurrent) return;
    this.#end(isSilent);
    this.storeHeld();
  }

  /** Ends it as one that another one follows: that one replays what was missed before the held lines. */
  abandon(): void {
    if (this.generation.isCurrent) this.#end(false);
  }

  /** Stores the lines that are held, because no session follows soon. */
  storeHeld(): void {
    this.#options.mailbox.enqueue(() => this.#catchUp.holdNoMore());
  }

  #end(isSilent: boolean): void {
    this.generation.end();
    this.#options.mailbox.flow = undefined;
    if (isSilent) this.#session?.fallSilent();
    else this.#session?.close();
  }

  #problemsOf({ upstreamError, nick }: BouncerSession, nickRefusal: string | undefined): string[] {
    return [
      ...(upstreamError === undefined ? [] : [`the IRC network is not connected: ${upstreamError}`]),
      ...(nickRefusal === undefined
        ? []
        : [`the nick is ${nick}, because the IRC network refused another one: ${nickRefusal}`]),
      ...(this.#catchUp.isStoreCoarse ? [COARSE_STORE] : []),
    ];
  }

  /** Whether the server echoes is known from lines of the account itself. */
  #noteEcho(): void {
    const hasServerEcho = this.session?.hasServerEcho;
    if (hasServerEcho === undefined || hasServerEcho === this.#hadServerEcho) return;
    this.#hadServerEcho = hasServerEcho;
    this.#options.events.onChanged();
  }

  #events(): BouncerEvents {
    const { mailbox, events } = this.#options;
    const whileCurrent =
      <Arguments extends unknown[]>(event: (...heard: Arguments) => void) =>
      (...heard: Arguments): void => {
        if (this.generation.isCurrent) event(...heard);
      };
    return {
      onSendRefused: whileCurrent(events.onSendRefused),
      onUpstreamLost: whileCurrent(events.onUpstreamLost),
      onUpstreamFailed: whileCurrent(events.onUpstreamFailed),
      onUpstreamConnected: whileCurrent(events.onUpstreamConnected),
      onUpstreamRefused: whileCurrent(events.onUpstreamRefused),
      onUpstreamHung: whileCurrent(events.onUpstreamHung),
      onLeft: whileCurrent(events.onLeft),
      onStrayed: whileCurrent(events.onStrayed),
      onChanged: whileCurrent(events.onChanged),
      onLine: (observed) => {
        mailbox.enqueueLine(observed, this.#catchUp);
        this.#noteEcho();
      },
      onReplayed: (page) => mailbox.enqueue(() => this.#catchUp.take(page)),
      onReplayRefused: (channel) => {
        mailbox.enqueue(() => this.#catchUp.refused(channel));
        setTimeout(() => mailbox.enqueue(() => this.#catchUp.ask(channel)), REPLAY_RETRY_MS).unref();
      },
      onClose: (reason) => {
        if (!this.generation.isCurrent) return;
        this.abandon();
        const { accountId, context } = this.#options;
        context.log.warn({ account: accountId, reason }, 'the session with the bouncer ended');
        events.onEnded();
      },
    };
  }
}
