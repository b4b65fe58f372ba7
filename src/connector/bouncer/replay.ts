import { formatLine, type IrcLine, serverTimeOf } from '../irc/line.ts';

/** Most lines of one answer; ISUPPORT `CHATHISTORY` of soju 0.9. */
const PAGE_LINES = 1_000;
/** Upper bound of requests: a server's clock may be ahead of ours, so "now" would hide some of its lines. */
const FAR_FUTURE = '2099-01-01T00:00:00.000Z';
/** One answer of the bouncer, in whole milliseconds. */
export interface RawPage {
  channel: string;
  lines: readonly IrcLine[];
  /** First millisecond of the next page; undefined after the last. */
  next: number | undefined;
  /** Millisecond with more lines than a page holds, so that some of them are unreachable. */
  overfullAt: number | undefined;
}

export interface ReplayEvents {
  onPage(page: RawPage): void;
  /** Called after a refusal; a later attempt may succeed. */
  onRefused(channel: string): void;
  /** Called without an answer in time: the connection is unusable. */
  onTimeout(): void;
}

/** Requests stored lines, one page at a time; IRCv3 `draft/chathistory`. */
export class Replay {
  readonly #write: (line: string) => void;
  readonly #events: ReplayEvents;
  readonly #deadlineMs: number;
  #channel: string | undefined;
  #reference: string | undefined;
  #lines: IrcLine[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param deadlineMs deadline of the whole batch */
  constructor(write: (line: string) => void, events: ReplayEvents, deadlineMs: number) {
    this.#write = write;
    this.#events = events;
    this.#deadlineMs = deadlineMs;
  }

  /** @param from milliseconds since 1970, inclusive */
  ask(channel: string, from: number): void {
    if (this.#channel !== undefined) throw new Error('a replay is under way');
    this.#channel = channel;
    this.#lines = [];
    this.#timer = setTimeout(() => this.#events.onTimeout(), this.#deadlineMs).unref();
    // Both bounds are exclusive.
    const after = `timestamp=${new Date(from - 1).toISOString()}`;
    this.#write(formatLine('CHATHISTORY', ['BETWEEN', channel, after, `timestamp=${FAR_FUTURE}`, String(PAGE_LINES)]));
  }

  /** Handles a line; true if it belongs to an answer, false for a live line. */
  take(line: IrcLine): boolean {
    if (this.#channel === undefined) return false;
    const [first = '', type] = line.params;
    if (this.#reference !== undefined && line.tags['batch'] === this.#reference) {
      // The bouncer sends more lines than requested: its protocol differs from the known one.
      if (this.#lines.length === PAGE_LINES) this.#events.onTimeout();
      else this.#lines.push(line);
      return true;
    }
    if (line.command === 'BATCH' && first.startsWith('+') && type === 'chathistory') {
      this.#reference = first.slice(1);
      return true;
    }
    if (line.command === 'BATCH' && this.#reference !== undefined && first === `-${this.#reference}`) {
      const page = pageOf(this.#channel, this.#lines);
      this.close();
      this.#events.onPage(page);
      return true;
    }
    if (line.command !== 'FAIL' || first !== 'CHATHISTORY') return false;
    const channel = this.#channel;
    this.close();
    this.#events.onRefused(channel);
    return true;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#channel = undefined;
    this.#reference = undefined;
    this.#lines = [];
  }
}

/**
 * Returns a page. A full one may end within a millisecond: that millisecond then belongs to the next page, so that its
 * equal lines are counted together.
 */
export function pageOf(channel: string, lines: readonly IrcLine[], pageLines = PAGE_LINES): RawPage {
  const lastAt = serverTimeOf(lines.at(-1) ?? { tags: {}, sender: '', command: '', params: [] });
  if (lines.length < pageLines || lastAt === undefined)
    return { channel, lines, next: undefined, overfullAt: undefined };
  const whole = lines.filter((line) => serverTimeOf(line) !== lastAt);
  if (whole.length > 0) return { channel, lines: whole, next: lastAt, overfullAt: undefined };
  return { channel, lines, next: lastAt + 1, overfullAt: lastAt };
}
