import { type EchoOf, echoedBy } from '../domain/echo.ts';
import type { CapturedLine } from '../domain/entry.ts';
import { eventTime } from '../domain/event-time.ts';
import { foldText } from '../domain/fold.ts';
import { DAY_MS, OUTSTANDING_MAX_MS, PENDING_MAX_MS, REPLAY_OVERLAP_MS } from '../domain/limits.ts';
import type { OwnLine } from '../ports/bouncer-session.ts';
import { countReceived } from './counts.ts';
import type { Database } from './database.ts';
import { type PartRow, settleMessage } from './parts.ts';
import { groupsOf } from './rows-at-once.ts';
import { pruneBlocks, widenBlock } from './text-index.ts';

/** Most candidates in one channel: lines with the same text, and lines that were written within minutes. */
const AWAITED_MAX = 500;
/** Age of a send above which no present line can be its echo; see `echoedBy`. */
const OVERTAKEN_MS = 3 * DAY_MS;
/** Age above which a written line is only matched by its text; see `echoedBy`. */
const RECENTLY_WRITTEN_MS = OUTSTANDING_MAX_MS + REPLAY_OVERLAP_MS;

/** A line that may be the echo of one of the account's sends. */
export interface OwnMessage {
  accountId: string;
  network: string;
  now: number;
  line: CapturedLine;
  own: OwnLine;
  isReplay: boolean;
  /** Whether the line was stored and removed before, so that only a tag can identify it. */
  isRemoved: boolean;
  /** Texts of the account's later lines of the same batch in the channel. */
  laterTexts: readonly string[];
}

type AwaitedRow = PartRow & { sender: string };

/** Finds the part of a send that the line echoes: by its tag, or without a tag by `echoedBy`. */
export async function findEchoed(database: Database, message: OwnMessage): Promise<PartRow | undefined> {
  const { accountId, line, own, isReplay, isRemoved } = message;
  if (own.tag === undefined) return isRemoved ? undefined : findByPlace(database, message);
  const part: AwaitedRow | undefined = await partsOf(database, accountId)
    .where('tag', own.tag)
    .first('message_parts.*', 'entries.sender');
  if (own.isNick) return part;
  // Everyone in the channel sees the tag, and may have taken the nick since: a line under an earlier nick of the
  // account is its own only where it was missed, and stands for one that is still awaited.
  const isAwaited = isReplay && part?.echoed_at === null && part.sender === line.sender;
  return isAwaited ? part : undefined;
}

/** Returns those of the tags whose lines have not come back, with the nicks under which they were sent. */
export async function awaitedSenders(
  database: Database,
  accountId: string,
  tags: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const senders = new Map<string, string>();
  for (const group of groupsOf([...new Set(tags)])) {
    const awaited: { tag: string; sender: string }[] = await partsOf(database, accountId)
      .whereIn('tag', group)
      .whereNull('echoed_at')
      .select('tag', 'entries.sender');
    for (const { tag, sender } of awaited) senders.set(tag, sender);
  }
  return senders;
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
    // Lines that a server drops silently stay queued forever, so many may have been written before.
    .where((possible) =>
      possible.where('message_parts.text', line.text).orWhere('written_at', '>=', at - RECENTLY_WRITTEN_MS),
    )
    // Bounds the index scan; a line is written at most half a minute after it was accepted.
    .where('message_parts.created_at', '>=', at - DAY_MS - PENDING_MAX_MS)
    .where('written_at', '>=', at - DAY_MS)
    // A line said on another network never comes back on this one.
    .where('entries.network', network)
    .whereNull('echoed_at')
    .whereNotNull('written_at')
    .orderBy(['written_at', 'message_parts.row'])
    .limit(AWAITED_MAX);
  // A missed line may be older than lines that have come back since.
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
  /** Server time; undefined if the line has none. */
  serverAt: number | undefined;
  observedAt: number;
  /** Text that others saw. */
  text: string;
  network: string;
  /** Whether a tag identifies the send; false if only the line's place does. */
  isSure: boolean;
  /** True for an echo of the bouncer: the server may still refuse the line. */
  isPreliminary: boolean;
}

/**
 * Records the echo of a part. The first line's time and fingerprint become the entry's; further lines are recognized by
 * their parts.
 */
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
  if (heardText !== part.heard_text) await storeAsHeard(database, part);
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
 * Marks the channel's lines that were written before this one and have not come back: a server answers in order, so
 * their echoes will not come. Their fate is unknown, so they keep their status; but no later line counts as their echo.
 */
async function overtake(database: Database, part: PartRow, { network, observedAt }: Echo): Promise<void> {
  if (part.written_at === null) return;
  await database('message_parts')
    .where({ account_id: part.account_id, status: 'queued', channel: part.channel })
    .whereNull('echoed_at')
    .whereNull('overtaken_at')
    // Bounds the scan: no line is matched with older ones.
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

/** Gives the entry of a send the text that others saw. */
async function storeAsHeard(
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
 * Returns the line that was taken for a part's echo by its place, if a tag now shows that another line is the echo:
 * another client of the person has said the first one. Undefined if the part had no echo, or a sure one.
 */
export function mistakenEcho(part: PartRow, line: CapturedLine, fingerprint: string): CapturedLine | undefined {
  const { echoed_at: echoedAt, heard_at: heardAt, heard_text: heardText } = part;
  if (echoedAt === null || heardAt === null || part.fingerprint === fingerprint) return undefined;
  return { ...line, text: heardText ?? part.text, serverAt: Number(heardAt) };
}
