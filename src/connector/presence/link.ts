import type { BouncerAccount } from '../ports/bouncer.ts';
import type { BouncerEvents, BouncerSession } from '../ports/bouncer-session.ts';
import { CatchUp, COARSE_STORE } from './catch-up.ts';
import type { PresenceContext } from './context.ts';
import { Intake } from './intake.ts';

/** After the bouncer refused to replay a channel. */
const REPLAY_RETRY_MS = 30_000;

/** Events of the link, besides the lines. */
export interface LinkEvents
  extends Pick<
    BouncerEvents,
    'onSendRefused' | 'onUpstreamLost' | 'onUpstreamConnected' | 'onUpstreamHung' | 'onUpstreamRefused' | 'onKicked'
  > {
  /** The session ended by itself. */
  onEnded(): void;
}

export interface LinkOptions {
  accountId: string;
  context: PresenceContext;
  /** Runs a task in the account's queue. */
  run: (task: () => Promise<void>) => Promise<void>;
  events: LinkEvents;
}

/** One account's session with the bouncer, if there is one; brings its lines into the database. */
export class Link {
  readonly #options: LinkOptions;
  readonly #intake: Intake;
  #catchUp: CatchUp | undefined;
  #session: BouncerSession | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#intake = new Intake({ log: options.context.log, run: options.run });
  }

  get session(): BouncerSession | undefined {
    return this.#session;
  }

  /** Problems with the network or with the completeness of history, in words. */
  get problems(): string[] {
    const error = this.#session?.upstreamError;
    return [
      ...(error === undefined ? [] : [`the IRC network is not connected: ${error}`]),
      ...(this.#catchUp?.isStoreCoarse === true ? [COARSE_STORE] : []),
    ];
  }

  /** Lines and tasks on their way to the database. */
  get waiting(): number {
    return this.#intake.size;
  }

  /** Runs a task after everything that the bouncer has reported so far. */
  inTurn(run: () => Promise<void>): void {
    this.#intake.add({ kind: 'task', run });
  }

  /** Attaches and begins to catch up. @throws ConnectorError bouncer_unreachable, provisioning_failed */
  async attach(account: BouncerAccount, channels: readonly string[]): Promise<void> {
    const { accountId, context } = this.#options;
    const catchUp = new CatchUp(accountId, context);
    const session = await context.bouncer.attach(account, channels, this.#events(catchUp));
    this.#session = session;
    this.#catchUp = catchUp;
    this.#intake.flow = session;
    try {
      await catchUp.start(session, channels);
    } catch (error) {
      // Without catching up, nobody could know whether the history is complete.
      session.close();
      throw error;
    }
  }

  /** Captures these channels and no others. */
  async follow(channels: readonly string[]): Promise<void> {
    this.#session?.setChannels(channels);
    await this.#catchUp?.follow(channels);
  }

  /** Ends the session; the bouncer keeps the network connected. */
  detach(): void {
    this.#catchUp?.stop();
    this.#session?.close();
    this.#session = undefined;
  }

  close(): void {
    this.detach();
    this.#intake.close();
  }

  #events(catchUp: CatchUp): BouncerEvents {
    const { onEnded, ...heard } = this.#options.events;
    return {
      ...heard,
      onLine: (observed) => this.#intake.add({ kind: 'line', observed, sink: catchUp }),
      onReplayed: (page) => this.inTurn(() => catchUp.take(page)),
      onReplayRefused: (channel) => {
        this.inTurn(() => catchUp.refused(channel));
        setTimeout(() => this.inTurn(() => catchUp.ask(channel)), REPLAY_RETRY_MS).unref();
      },
      onClose: (reason) => {
        if (reason !== undefined) {
          const { accountId, context } = this.#options;
          context.log.warn({ account: accountId, reason }, 'the session with the bouncer ended');
        }
        catchUp.stop();
        this.inTurn(() => catchUp.release());
        // The end of a session that was already replaced changes nothing.
        if (this.#catchUp !== catchUp) return;
        this.#session = undefined;
        this.#intake.flow = undefined;
        onEnded();
      },
    };
  }
}
