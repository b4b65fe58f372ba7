import type { ReportPostfix } from '../../../../schemas/report.ts';

/** Queues of Postfix; a report has them all, so that an alert need not handle absence. */
const QUEUES = ['maildrop', 'incoming', 'active', 'deferred', 'hold'] as const;

/** Bytes of a line that are kept: name and time are its first fields, the recipients may take megabytes. */
const HEAD_BYTES = 512;

/** Queues of other names that are counted; Postfix has only one more, `corrupt`. */
const OTHER_QUEUES_MAX = 16;

const NEWLINE = 0x0a;

/** Counts messages in the output of `postqueue -j` as it comes, one JSON object a line. @see postqueue(1) */
export class QueueCount {
  #head = '';
  #isHeadFull = false;
  #oldestSec = Number.POSITIVE_INFINITY;
  #messages = 0;
  /** Lines that are not messages. */
  badLines = 0;
  readonly #queues = new Map<string, number>(QUEUES.map((queue) => [queue, 0]));

  take(piece: Buffer): void {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      this.#extend(piece, start, end);
      this.#endLine();
      start = end + 1;
    }
    this.#extend(piece, start, piece.length);
  }

  get messages(): number {
    return this.#messages;
  }

  /** @param nowSec Unix seconds @param wasCut the last line may have no end */
  finish(nowSec: number, wasCut = false): ReportPostfix {
    if (this.#head !== '' && !wasCut) this.#endLine();
    const oldestAgeSec = this.#messages === 0 ? 0 : Math.max(0, Math.floor(nowSec) - this.#oldestSec);
    return { messages: this.#messages, queues: Object.fromEntries(this.#queues), oldestAgeSec };
  }

  #extend(piece: Buffer, start: number, end: number): void {
    if (this.#isHeadFull) return;
    const room = HEAD_BYTES - this.#head.length;
    this.#head += piece.toString('latin1', start, Math.min(end, start + room));
    this.#isHeadFull = this.#head.length >= HEAD_BYTES;
  }

  #endLine(): void {
    const head = this.#head;
    this.#head = '';
    this.#isHeadFull = false;
    // A quote within an address is escaped, so that no sender can write these fields.
    const queue = /^\{.*?"queue_name": ?"([a-z_]{1,32})"/.exec(head)?.[1];
    const arrival = /^\{.*?"arrival_time": ?(\d{1,12})[,}]/.exec(head)?.[1];
    if (queue === undefined || arrival === undefined || !this.#hasRoomFor(queue)) {
      this.badLines += 1;
      return;
    }
    this.#messages += 1;
    this.#queues.set(queue, (this.#queues.get(queue) ?? 0) + 1);
    this.#oldestSec = Math.min(this.#oldestSec, Number(arrival));
  }

  #hasRoomFor(queue: string): boolean {
    return this.#queues.has(queue) || this.#queues.size < QUEUES.length + OTHER_QUEUES_MAX;
  }
}
