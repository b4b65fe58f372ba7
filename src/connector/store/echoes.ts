import { type EchoOf, echoedBy } from '../domain/echo.ts';
import type { CapturedLine } from '../domain/entry.ts';
import { eventTime } from '../domain/event-time.ts';
import { foldText } from '../domain/fold.ts';
import { DAY_MS, OUTSTANDING_MAX_MS, PENDING_MAX_MS, REPLAY_OVERLAP_MS } from '../domain/limits.ts';
import type { OwnLine } from '../ports/bouncer-session.ts';
import { countReceived } from './counts.ts';
import type { Database } from './database.ts';
import { type PartRow, settleMessage } from './parts.ts';
import { pruneBlocks, widenBlock } from './text-index.ts';

/** Lines of one channel that may be meant: those of one text, and those that were written within minutes. */
const AWAITED_MAX = 500;
/** Lines that were accepted longer before than this can't be meant by any line that comes now; see `echoedBy`. */
const OVERTAKEN_MS = 3 * DAY_MS;
/** What was written before is only looked for by its text; see `echoedBy`. */
const RECENTLY_WRITTEN_MS = OUTSTANDING_MAX_MS + REPLAY_OVERLAP_MS;

/** A line that may be the echo of one of the account's sends. */
export interface OwnMessage {
  accountId: string;
  network: string;
  now: number;
  line: CapturedLine;
  own: OwnLine;
  isReplay: boolean;
  /** It was stored and removed before, so that only a tag can show what it is. */
  isRemoved: boolean;
  /** What own lines of the same batch say that come after it in its channel. */
  laterTexts: readonly string[];
}

type AwaitedRow = PartRow & { sender: string };

/** The part of a send that the line is the echo of: the one of its tag; without a tag the one that `echoedBy` finds. */
export async function findEchoed(database: Database, message: OwnMessage): Promise<PartRow | undefined> {
  const { accountId, line, own, isReplay, isRemoved } = message;
  if (own.tag === undefined) return isRemoved ? undefined : findByPlace(database, message);
  const part: AwaitedRow | undefined = await partsOf(database, accountId)
    .where('tag', own.tag)
    .first('message_parts.*', 'entries.sender');
  if (own.isNick) return part;
  // Everybody in the channel sees the tag, and may have taken the nick since: a line under an earlier nick of the account
  // is its own only where it was missed, and stands for one that is still awaited.
  const isAwaited = isReplay && part?.echoed_at === null && part.sender === line.sender;
  return isAwaited ? part : undefined;
}

const partsOf = (database: Database, accountId: string) =>
  database<PartRow>('message_parts')
    .where('message_parts.account_id', accountId)
    .join('entries', 'entries.message_id', 'message_parts.message_id');

async function findByPlace(
  database: Database,
  { accountId, network, now, line, own, isReplay, laterTexts }: OwnMessage,
): Promise<PartRow | undefined> {
  const echoOf: EchoOf = own.echoOf ?? 'any';
  if (echoOf === 'none') return undefined;
  const at = isReplay ? (line.serverAt ?? now) : now;
  const awaited = partsOf(database, accountId)
    .where({ 'message_parts.channel': line.channel, status: 'queued' })
    // What a server drops without a word stays on its way for ever: so many may have been written before.
    .where((possible) =>
      possible.where('message_parts.text', line.text).orWhere('written_at', '>=', at - RECENTLY_WRITTEN_MS),
    )
    // By the index; a line is written at most half a minute after it was accepted.
    .where('message_parts.created_at', '>=', at - DAY_MS - PENDING_MAX_MS)
    .where('written_at', '>=', at - DAY_MS)
    // Said on another network it never comes back on this one.
    .where('entries.network', network)
    .whereNull('echoed_at')
    .whereNotNull('written_at')
    .orderBy(['written_at', 'message_parts.row'])
    .limit(AWAITED_MAX);
  // What was missed may be older than what has come back since.
  if (!isReplay) awaited.whereNull('overtaken_at');
  const rows: PartRow[] = await awaited.select('message_parts.*');
  const found = echoedBy(
    { text: line.text, at, isReplay, echoOf, laterTexts },
    rows.map((part) => ({ part, text: part.text, writtenAt: Number(part.written_at) })),
  );
  return found?.part;
}

export interface Echo {
  fingerprint: string;
  /** Server time, undefined where the line has none. */
  serverAt: number | undefined;
  observedAt: number;
  /** What others saw. */
  text: string;
  network: string;
  /** False where only its place among the lines shows whose echo it is. */
  isSure: boolean;
  /** True for an echo of the bouncer: the server may still refuse the line. */
  isPreliminary: boolean;
}

/** Takes an echo. The first line's time and fingerprint become the entry's; further lines are recognized by their parts. */
export async function settleEcho(database: Database, part: PartRow, echo: Echo): Promise<void> {
  const serverAt = eventTime(echo.serverAt, echo.observedAt);
  const eventAt = serverAt ?? echo.observedAt;
  const heardText = echo.text === part.text ? null : echo.text;
  await database('message_parts')
    .where({ message_id: part.message_id, number: part.number })
    .update({
      fingerprint: echo.fingerprint,
      echoed_at: echo.observedAt,
      heard_text: heardText,
      heard_at: echo.isSure ? null : eventAt,
      ...(echo.isPreliminary ? {} : { status: 'echoed' }),
    });
  await overtake(database, part, echo);
  const message = await settleMessage(database, part.message_id, { now: echo.observedAt });
  if (heardText !== part.heard_text) await tellAsHeard(database, part);
  if (part.number !== 1) return;
  const moved: { row: number; channel: string }[] = await database('entries')
    .where('message_id', part.message_id)
    .update({
      fingerprint: echo.fingerprint,
      event_at: eventAt,
      observed_at: echo.observedAt,
      timestamp_source: serverAt === undefined ? 'observed' : 'server',
    })
    .returning(['row', 'channel']);
  for (const { row, channel } of moved) {
    await widenBlock(database, { accountId: part.account_id, channel, row, eventAt });
    if (message !== undefined && message.status !== 'failed')
      await countReceived(database, { accountId: part.account_id, channel }, Number(row));
  }
}

/**
 * Lines of the channel that were written before this one and have not come back will not come any more: a server answers in order.
 * Nobody knows what became of them, so that they stay as they are; but no later line is taken for their echo.
 */
async function overtake(database: Database, part: PartRow, { network, observedAt }: Echo): Promise<void> {
  if (part.written_at === null) return;
  await database('message_parts')
    .where({ account_id: part.account_id, status: 'queued', channel: part.channel })
    .whereNull('echoed_at')
    .whereNull('overtaken_at')
    // Earlier ones are looked for by no line any more.
    .where('created_at', '>=', part.written_at - OVERTAKEN_MS)
    .whereRaw('(written_at, "row") < (?, ?)', [part.written_at, part.row])
    .whereExists(
      database('entries')
        .whereRaw('entries.message_id = message_parts.message_id')
        .where('entries.network', network)
        .select(database.raw('1')),
    )
    .update({ overtaken_at: observedAt });
}

/** The entry of a send has the text that others saw. */
async function tellAsHeard(
  database: Database,
  { account_id: accountId, message_id: messageId }: PartRow,
): Promise<void> {
  const parts: PartRow[] = await database('message_parts').where('message_id', messageId).orderBy('number');
  const text = parts.map((each) => each.heard_text ?? each.text).join('');
  const changed: { row: number | string; channel: string }[] = await database('entries')
    .where('message_id', messageId)
    .update({ text, text_folded: foldText(text) })
    .returning(['row', 'channel']);
  for (const { row, channel } of changed) await pruneBlocks(database, accountId, channel, [Number(row)]);
}

/**
 * The line that was taken for the echo of a part by its place, when its tag now shows another one: another client of the person
 * has said it. Undefined where the part had no echo, or that one for sure.
 */
export function mistakenEcho(part: PartRow, line: CapturedLine, fingerprint: string): CapturedLine | undefined {
  const { echoed_at: echoedAt, heard_at: heardAt, heard_text: heardText } = part;
  if (echoedAt === null || heardAt === null || part.fingerprint === fingerprint) return undefined;
  return { ...line, text: heardText ?? part.text, serverAt: Number(heardAt) };
}
