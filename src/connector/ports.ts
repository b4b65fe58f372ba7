import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account, Caller } from './domain/account.ts';
import type { Grant } from './domain/channel.ts';
import type { CapturedLine, CaptureGap, Entry, EntryKind } from './domain/entry.ts';
import type { MessagePart, MessageStatus, OutgoingMessage, OutstandingPart } from './domain/outgoing-message.ts';
import type { Scope } from './domain/scope.ts';

/** Where the connector's world ends: the interfaces its use cases need, each implemented by one folder. */

export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  findByLogin(login: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  /** Accounts that are meant to be online. */
  listOnline(): Promise<Account[]>;
  /** Creates the account with the grants, or returns undefined when `maxAccounts` exist or the nick was taken meanwhile. */
  create(account: NewAccount, maxAccounts: number): Promise<Account | undefined>;
  /** Ties the account to a person's subject at the identity provider; false when it is another's already. */
  bindSubject(accountId: string, issuer: string, subject: string): Promise<boolean>;
  setGrants(accountId: string, grants: readonly Grant[]): Promise<void>;
  setOnline(accountId: string, since: number | null): Promise<void>;
  setDisconnected(accountId: string, at: number): Promise<void>;
  bouncerUser(accountId: string): Promise<BouncerUser>;
}

export interface NewAccount {
  login: string;
  nick: string;
  grants: readonly Grant[];
}

/** The account's user in the bouncer; the connector alone knows its password. */
export interface BouncerUser {
  name: string;
  password: string;
}

export interface EntryStore {
  newest(accountId: string, channels: readonly string[]): Promise<Entry | undefined>;
}

/** Place of an entry in the order of history, which is by event time and then by arrival. */
export interface Place {
  eventAt: number;
  row: number;
}

export interface PlacedEntry extends Entry {
  row: number;
}

export interface HistoryRange {
  channels: readonly string[];
  limit: number;
  /** Only entries before this one. */
  before?: Place | undefined;
  /** Only entries from this time on, milliseconds since 1970. */
  since?: number | undefined;
  /** Only entries whose folded text has this; folded as `foldText` does. */
  phrase?: string | undefined;
}

export interface HistoryStore {
  /** Entries of an account, newest first. */
  newestFirst(accountId: string, range: HistoryRange): Promise<PlacedEntry[]>;
}

export interface MessageStore {
  findByKey(accountId: string, clientId: string, key: string): Promise<KeyedMessage | undefined>;
  /** Stores the message, its parts and its local entry in one transaction. */
  create(message: NewMessage): Promise<OutgoingMessage>;
  /** Makes a failed message pending again, with new parts. */
  renew(messageId: string, parts: readonly NewPart[]): Promise<OutgoingMessage>;
  find(messageId: string): Promise<OutgoingMessage | undefined>;
  /** The message, where it is the account's. */
  findOf(accountId: string, messageId: string): Promise<OutgoingMessage | undefined>;
  /** Parts not written yet, oldest first. */
  pendingParts(accountId: string, limit: number): Promise<MessagePart[]>;
  setPartStatus(part: Pick<MessagePart, 'messageId' | 'number'>, status: MessageStatus, reason?: string): Promise<void>;
  /** Parts that are neither done nor failed, oldest first, without those written from parts made before `since`. */
  outstanding(accountId: string, since: number): Promise<OutstandingPart[]>;
  /** Oldest queued part, of the channel where one is named: what an error reply is about. */
  oldestQueuedPart(accountId: string, channel: string | undefined): Promise<MessagePart | undefined>;
}

/** What the bouncer told, on its way to the database. */
export interface CaptureStore {
  /** Notes since when channels are to be known, for those of which nothing is noted. */
  begin(accountId: string, channels: readonly string[], at: number): Promise<void>;
  /** Up to when all of the channel's lines are stored. */
  syncedTo(accountId: string, channel: string): Promise<number>;
  /** Whether lines of the channel with a server's time are stored for this time. */
  hasLines(accountId: string, channel: string, from: number, to: number): Promise<boolean>;
  /** Stores lines in one transaction, each once, whether it came before or comes again. */
  ingest(accountId: string, network: string, batch: CaptureBatch): Promise<Ingested>;
  addGap(accountId: string, network: string, channel: string, gap: CaptureGap): Promise<void>;
}

/** Removes entries, the oldest first, at most `limit` in one transaction; returns how many. */
export interface RetentionStore {
  pruneOlder(accountId: string, before: number, limit: number): Promise<number>;
  /** Removes what is more than the newest `keep` entries of the account. */
  pruneExcess(accountId: string, keep: number, limit: number): Promise<number>;
}

export interface CaptureBatch {
  lines: readonly ObservedLine[];
  /** True for a replayed page, which has all lines of its milliseconds. */
  isReplay: boolean;
  /** Channels of which nothing before these lines is missing. */
  synced: ReadonlySet<string>;
}

export interface Ingested {
  entries: Entry[];
  /** Lines that were stored before. */
  knownCount: number;
  /** Lines of own messages of which the server's echo came. */
  echoedCount: number;
}

export interface KeyedMessage extends OutgoingMessage {
  text: string;
}

export interface NewPart {
  text: string;
  tag: string;
}

export interface NewMessage {
  accountId: string;
  clientId: string;
  /** The agent session that sends, where it says so. */
  sessionId: string | undefined;
  idempotencyKey: string | undefined;
  network: string;
  channel: string;
  nick: string;
  text: string;
  parts: readonly NewPart[];
}

export interface AgentSessionStore {
  create(accountId: string, clientId: string): Promise<string>;
  /** Extends the session; false when it is unknown, expired, or another's. */
  touch(sessionId: string, accountId: string, clientId: string): Promise<boolean>;
}

/** Who reads unread activity; a session's cursors are its own. */
export interface Reader extends Caller {
  sessionId: string;
}

export interface UnreadBatch {
  /** Oldest first, by arrival. */
  entries: Entry[];
  hasMore: boolean;
  /** Whether the batch is shorter than asked for because of its size. */
  isTruncated: boolean;
  /** Whether retention removed entries the session has not acknowledged. */
  hasGap: boolean;
}

export interface CursorPosition {
  unreadCount: number;
  lastAcknowledgedEntryId: string | null;
}

/** What is unread for a session: entries after its cursor that it did not send itself and that did not fail. */
export interface AgentCursorStore {
  /** What was delivered and is not acknowledged; else the next entries, of them what `cut` leaves. */
  nextBatch(
    reader: Reader,
    channel: string,
    bounds: { limit: number; cut: (entries: readonly Entry[]) => readonly Entry[] },
  ): Promise<UnreadBatch>;
  /** Moves the cursor to the entry, never back; false for an entry that was not delivered to the session. */
  acknowledge(reader: Reader, channel: string, entryId: string): Promise<boolean>;
  positions(reader: Reader, channels: readonly string[]): Promise<Map<string, CursorPosition>>;
}

export interface BrowserSession {
  accountId: string;
  csrfToken: string;
}

export interface BrowserSessionStore {
  /** Returns the secret for the cookie; only its hash is stored. */
  create(accountId: string): Promise<string>;
  /** The session of a cookie, kept alive by being used. */
  use(secret: string): Promise<BrowserSession | undefined>;
  destroy(secret: string): Promise<void>;
}

export interface Store {
  accounts: AccountStore;
  entries: EntryStore;
  history: HistoryStore;
  messages: MessageStore;
  capture: CaptureStore;
  retention: RetentionStore;
  agentCursors: AgentCursorStore;
  agentSessions: AgentSessionStore;
  browserSessions: BrowserSessionStore;
}

export interface BouncerAccount {
  user: BouncerUser;
  nick: string;
}

/** True or false as the bouncer says, null when it can't be told. */
export type UpstreamState = boolean | null;

export interface Bouncer {
  /** Makes the user and the network exist as wanted; does nothing where they do. @throws ConnectorError bouncer_unreachable, provisioning_failed */
  provision(account: BouncerAccount): Promise<void>;
  /** Connects the network to its server under the nick, or disconnects it; a network that is connected is left alone. */
  setOnline(user: BouncerUser, isOnline: boolean, nick?: string): Promise<void>;
  upstreamState(user: BouncerUser): Promise<UpstreamState>;
  /** Joins these channels and leaves all others, now or when the network connects. */
  setChannels(user: BouncerUser, channels: readonly string[]): Promise<void>;
  /** Attaches to the user's session and resolves when it is registered. */
  attach(account: BouncerAccount, channels: readonly string[], events: BouncerEvents): Promise<BouncerSession>;
}

/** What an attached session tells; called in the order things happened. */
export interface BouncerEvents {
  onLine(line: ObservedLine): void;
  /** The answer to `replay`. Live lines that it has, too, were told before it. */
  onReplayed(page: ReplayedPage): void;
  /** The bouncer can't replay the channel at the moment. */
  onReplayRefused(channel: string): void;
  /** @param channel undefined where the bouncer does not say which */
  onSendRefused(channel: string | undefined, reason: string): void;
  /** The network was connected and is no longer, as far as this session can see. */
  onUpstreamLost(): void;
  onUpstreamConnected(): void;
  /** The account was thrown out of a channel. */
  onKicked(channel: string): void;
  onClose(): void;
}

/** A line of an enabled channel. */
export interface ObservedLine {
  line: CapturedLine;
  /** Set for a line under the account's own nick, or with a tag as its sends have. */
  own: OwnLine | undefined;
}

export interface OwnLine {
  /** The tag it was sent with, where tags are supported. */
  tag: string | undefined;
  /** Whether it is under the nick in use. */
  isNick: boolean;
  /** The account itself came into the channel. */
  isJoin: boolean;
}

/** Lines the bouncer kept, in whole milliseconds and in order. */
export interface ReplayedPage {
  channel: string;
  lines: readonly ObservedLine[];
  /** First millisecond of the next page; undefined after the last. */
  next: number | undefined;
  /** A millisecond of which not all lines can be had. */
  overfullAt: number | undefined;
}

export interface BouncerSession {
  /** The nick in use, which may differ from the one wanted. */
  readonly nick: string;
  readonly joinedChannels: readonly string[];
  readonly upstream: UpstreamState;
  /** Why the server refuses this person for good; undefined where it does not. */
  readonly upstreamRefusal: string | undefined;
  /** Whether the network is not connected because another person has the nick. */
  readonly isNickTaken: boolean;
  /** Asks to be let into a channel again. */
  join(channel: string): void;
  /** Whether the server itself answers in time, after everything written before. */
  probeUpstream(deadlineMs: number): Promise<boolean>;
  /** Whether the server lets lines through without a penalty for many. */
  readonly isUnpaced: boolean;
  /** Whether the bouncer can tell what it kept. */
  readonly canReplay: boolean;
  /** Changes the channels whose lines are told. */
  setChannels(channels: readonly string[]): void;
  /** Asks for what was kept of a channel from a millisecond on; one question at a time. */
  replay(channel: string, from: number): void;
  /** Stops reading from the bouncer until `resume`. */
  pause(): void;
  resume(): void;
  /** Writes one message line. @throws Error when the connection is gone */
  sendMessage(channel: string, text: string, tag: string): void;
  close(): void;
}

/** How a tool call ended: as asked for, refused with a reason, or by a fault of ours. */
export type ToolOutcome = 'ok' | 'refused' | 'failed';

/** What the program counts about itself. */
export interface Measurements {
  captured(kind: EntryKind): void;
  sent(status: MessageStatus, lineCount: number): void;
  toolCalled(tool: string, outcome: ToolOutcome, seconds: number): void;
  statementRun(statement: string, seconds: number): void;
}

/** A person as the identity provider knows them. */
export interface Identity {
  issuer: string;
  subject: string;
  login: string;
}

/** What must be remembered between leaving for the identity provider and coming back. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface IdentityProvider {
  /** @throws ConnectorError identity_provider_unreachable */
  start(): Promise<{ url: string; attempt: SignInAttempt }>;
  /** @throws ConnectorError sign_in_failed, identity_provider_unreachable */
  finish(callbackUrl: URL, attempt: SignInAttempt): Promise<Identity>;
}

/** One record of the authorization server; ids are hashes, the payload is text. */
export interface OauthRecord {
  idHash: string;
  uidHash: string | null;
  /** The family of what one consent gave. */
  grantHash: string | null;
  payload: string;
  expiresAt: number | null;
}

export interface OauthRecords {
  save(kind: string, record: OauthRecord): Promise<void>;
  find(
    kind: string,
    by: { idHash: string } | { uidHash: string },
  ): Promise<{ payload: string; consumedAt: number | null } | undefined>;
  /** True for exactly one caller; for any other the whole family is destroyed. */
  consume(kind: string, idHash: string): Promise<boolean>;
  destroy(kind: string, idHash: string): Promise<void>;
  destroyFamily(kind: string, grantHash: string): Promise<void>;
}

/** What a person is asked to decide. */
export interface PendingConsent {
  clientName: string;
  redirectUri: string;
  scopes: Scope[];
}

/** Between the consent page and the authorization server; each call belongs to the browser's own authorization request. */
export interface ConsentDesk {
  /** Undefined when the request is over or was begun in another browser. */
  pending(req: IncomingMessage, res: ServerResponse): Promise<PendingConsent | undefined>;
  /** Grants what is pending and returns where the browser goes on. */
  approve(req: IncomingMessage, res: ServerResponse, accountId: string): Promise<string>;
  deny(req: IncomingMessage, res: ServerResponse): Promise<string>;
}

/** Encrypts what must be read again, and notices when it was changed or moved to another place. */
export interface Seal {
  /** @param place what the text belongs to; the same must be given to `open` */
  close(text: string, place: string): string;
  /** @throws Error when the key, the place or the content is not the same */
  open(sealed: string, place: string): string;
}
