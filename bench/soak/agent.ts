import { setTimeout as delay } from 'node:timers/promises';
import type {
  AccountSeen,
  Acknowledgement,
  Entry,
  FailedCall,
  Position,
  SeenSend,
  ShownEntry,
} from './observations.ts';
import type { Random } from './random.ts';
import { isExpected, isLimit } from './refusals.ts';
import type { Tokens } from './tokens.ts';
import { ToolCaller } from './tool-caller.ts';

const PAUSE_LEAST_MS = 600;
const PAUSE_MOST_MS = 1_400;
const UNREAD_LIMIT = 50;
const PAGE = 200;
/** A call that must succeed at the end is repeated for so long. */
const LAST_CALLS_DEADLINE_MS = 90_000;
const AGAIN_AFTER_MS = 500;
/** Shares of rounds in which an agent does something. */
const SENDS = 0.25;
const ASKS_AFTER_SENDS = 0.3;
const LEAVES_UNACKNOWLEDGED = 0.2;
const READS_ONE_CHANNEL = 0.5;
/** Share of rounds before which the agent starts anew, and so refreshes its tokens at once. */
const STARTS_ANEW = 0.01;
/** Newest sends about whose state an agent asks. */
const ASKED_ABOUT = 3;

type Result = Record<string, unknown>;

export interface AgentOptions {
  name: string;
  channels: readonly string[];
  baseUrl: string;
  tokens: Tokens;
  random: Random;
  failures: FailedCall[];
}

/** A program that follows its channels: it reads, acknowledges, sends, and asks what became of its sends. */
export class SoakAgent {
  readonly name: string;
  readonly shown: ShownEntry[] = [];
  readonly acknowledged: Acknowledgement[] = [];
  readonly positions: Position[] = [];
  readonly sends: SeenSend[] = [];
  readonly connectedAt: number[] = [];
  calls = 0;
  refreshes = 0;
  /** Longest time between two answers with a failure in between. */
  longestWithoutAnswerMs = 0;
  readonly #options: AgentOptions;
  readonly #callers: readonly ToolCaller[];
  #session: string | undefined;
  #answeredAt = Date.now();
  #hasFailed = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.name = options.name;
    // Two connections, which lead to different processes.
    this.#callers = [0, 1].map(() => new ToolCaller(options.baseUrl, () => options.tokens.access));
  }

  /** Works until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { random } = this.#options;
    while (!signal.aborted) {
      if (random.isTrue(STARTS_ANEW)) this.#options.tokens.startAnew();
      await this.#look();
      await this.#follow();
      await this.#send();
      if (random.isTrue(ASKS_AFTER_SENDS)) for (const send of this.sends.slice(-ASKED_ABOUT)) await this.#ask(send);
      await delay(random.between(PAUSE_LEAST_MS, PAUSE_MOST_MS), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether the account is connected now. */
  async isConnected(): Promise<boolean> {
    const before = this.connectedAt.length;
    await this.#look();
    return this.connectedAt.length > before;
  }

  /** Repeats what was not answered, and asks what became of each send. Returns how many are not decided. */
  async settle(): Promise<number> {
    for (const send of this.sends) {
      if (send.messageId === undefined) await this.#say(send);
      else if (send.status !== 'echoed') await this.#ask(send);
    }
    return this.sends.filter(({ status }) => status === undefined || status === 'pending').length;
  }

  /** The whole history of all channels, oldest first. */
  async history(): Promise<Entry[]> {
    const all: Entry[] = [];
    for (const channel of this.#options.channels) {
      const own: Entry[] = [];
      for (let token: unknown; token !== null; ) {
        const page = await this.#must('read_history', {
          ...{ channel, mode: 'recent', limit: PAGE, kinds: ['message'] },
          ...(token === undefined ? {} : { page_token: token }),
        });
        own.push(...(page['entries'] as Entry[]).map(entryOf));
        token = page['nextPageToken'];
      }
      all.push(...own.reverse());
    }
    return all;
  }

  /** What is counted as unread, and what is unread then. Acknowledges all of it. */
  async drain(): Promise<AccountSeen['counted']> {
    const { channels } = (await this.#must('see_account_information', this.#ofSession())) as { channels: Channel[] };
    const counted: { channel: string; count: number; entryIds: string[] }[] = [];
    for (const { channel, unreadCount } of channels) {
      const entryIds: string[] = [];
      for (;;) {
        const args = { channel, mode: 'unread', limit: PAGE, ...this.#ofSession() };
        const { entries } = (await this.#must('read_history', args)) as { entries: Entry[] };
        this.#show(entries, true);
        const last = entries.at(-1);
        if (last === undefined) break;
        if (await this.#acknowledge(channel, last.entryId, entries))
          entryIds.push(...entries.map((entry) => entry.entryId));
      }
      counted.push({ channel, count: unreadCount, entryIds });
    }
    return counted;
  }

  close(): void {
    for (const caller of this.#callers) caller.close();
    this.#options.tokens.close();
  }

  #ofSession(): { session_id?: string } {
    return this.#session === undefined ? {} : { session_id: this.#session };
  }

  async #look(): Promise<void> {
    const seen = await this.#call('see_account_information', this.#ofSession());
    if (seen === undefined) return;
    this.#session = String(seen['sessionId']);
    const channels = seen['channels'] as Channel[];
    const at = Date.now();
    if (seen['upstreamConnected'] === true && channels.every(({ joined }) => joined)) this.connectedAt.push(at);
    for (const { channel, lastAcknowledgedEntryId } of channels) {
      this.positions.push({ channel, entryId: lastAcknowledgedEntryId, at });
    }
  }

  /** Reads what is unread, of one channel or of all, and acknowledges it. */
  async #follow(): Promise<void> {
    if (this.#session === undefined) return;
    const { random, channels } = this.#options;
    const one = random.isTrue(READS_ONE_CHANNEL) ? random.pick(channels) : undefined;
    const place = one === undefined ? {} : { channel: one };
    const batch = await this.#call('read_history', {
      ...{ ...place, mode: 'unread', limit: UNREAD_LIMIT },
      ...this.#ofSession(),
    });
    if (batch === undefined) return;
    const entries = batch['entries'] as Entry[];
    this.#show(entries, one !== undefined);
    if (random.isTrue(LEAVES_UNACKNOWLEDGED)) return;
    const last = entries.at(-1);
    const ends = one === undefined ? (batch['acknowledge'] as Entry[]) : last === undefined ? [] : [last];
    for (const { channel, entryId } of ends) await this.#acknowledge(channel, entryId, entries);
  }

  /** Whether it was acknowledged. */
  async #acknowledge(channel: string, entryId: string, batch: readonly Entry[]): Promise<boolean> {
    const entryIds = batch.filter((entry) => entry.channel === channel).map((entry) => entry.entryId);
    const asked: Acknowledgement = { channel, entryId, entryIds, answeredAt: undefined };
    this.acknowledged.push(asked);
    const answer = await this.#call('ack_messages', { channel, entry_id: entryId, ...this.#ofSession() });
    if (answer === undefined) return false;
    asked.answeredAt = Date.now();
    const position = answer['lastAcknowledgedEntryId'] as string | null;
    this.positions.push({ channel, entryId: position, at: asked.answeredAt });
    return true;
  }

  #show(entries: readonly Entry[], isInOrder: boolean): void {
    const at = Date.now();
    for (const entry of entries) this.shown.push({ ...entryOf(entry), at, isInOrder });
  }

  /** Sends something new from time to time, when the send before was answered. */
  async #send(): Promise<void> {
    const { random, channels } = this.#options;
    const last = this.sends.at(-1);
    if (last !== undefined && last.messageId === undefined) {
      await this.#say(last);
      return;
    }
    if (!random.isTrue(SENDS)) return;
    const key = `${this.name}-${this.sends.length}`;
    const send: SeenSend = {
      ...{ key, channel: random.pick(channels), text: `said by ${key}`, askedAt: Date.now() },
      ...{ messageId: undefined, messageIds: [], status: undefined, failure: undefined },
    };
    this.sends.push(send);
    await this.#say(send);
  }

  async #say(send: SeenSend): Promise<void> {
    const { channel, text, key } = send;
    const answer = await this.#call('send_message', { channel, text, idempotency_key: key, ...this.#ofSession() });
    if (answer === undefined) return;
    send.messageId = String(answer['messageId']);
    send.messageIds = [...send.messageIds, send.messageId];
    learn(send, answer);
  }

  async #ask(send: SeenSend): Promise<void> {
    if (send.messageId === undefined) return;
    const answer = await this.#call('get_message_status', { message_id: send.messageId });
    if (answer !== undefined) learn(send, answer);
  }

  /** Calls with a token that is fresh. Undefined if it failed. */
  async #call(tool: string, args: Result): Promise<Result | undefined> {
    await this.#refresh();
    this.calls += 1;
    const outcome = await this.#options.random.pick(this.#callers).call(tool, args);
    const at = Date.now();
    if (outcome.kind === 'answered') {
      if (this.#hasFailed) this.longestWithoutAnswerMs = Math.max(this.longestWithoutAnswerMs, at - this.#answeredAt);
      this.#answeredAt = at;
      this.#hasFailed = false;
      return outcome.result;
    }
    this.#hasFailed ||= !isLimit(outcome.why);
    this.#note(tool, outcome.why);
    return undefined;
  }

  /** What failed is tried again before the next call; meanwhile the earlier token holds. */
  async #refresh(): Promise<void> {
    const { tokens } = this.#options;
    if (!tokens.isDue) return;
    const why = await tokens.refresh();
    if (why === undefined) this.refreshes += 1;
    else this.#note('refresh of the tokens', why);
  }

  #note(tool: string, why: string): void {
    const facts = { isLimit: isLimit(why), isExpected: isExpected(why) };
    this.#options.failures.push({ at: Date.now(), account: this.name, tool, why, ...facts });
  }

  async #must(tool: string, args: Result): Promise<Result> {
    const deadline = Date.now() + LAST_CALLS_DEADLINE_MS;
    for (;;) {
      const answer = await this.#call(tool, args);
      if (answer !== undefined) return answer;
      if (Date.now() > deadline) throw new Error(`${this.name}: ${tool} was not answered at the end of the run`);
      await delay(AGAIN_AFTER_MS);
    }
  }
}

interface Channel {
  channel: string;
  joined: boolean;
  unreadCount: number;
  lastAcknowledgedEntryId: string | null;
}

const entryOf = ({ entryId, channel, kind, sender, text }: Entry): Entry => ({
  ...{ entryId, channel, kind, sender, text },
});

function learn(send: SeenSend, answer: Result): void {
  send.status = String(answer['status']);
  if (send.status === 'failed') send.failure = String(answer['reason']);
}
