import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TestDatabase } from './test-database.ts';

/** Databases that earlier versions of the program filled, each under the number of its newest migration. */
export const RECORDINGS = join(import.meta.dirname, '../golden/connector/databases');

/** Files of a recording; its database is a file of SQLite, or statements that make one of PostgreSQL. */
export const RECORDED = { keys: 'keys.json', facts: 'facts.json', database: 'database.gz' };

/** Values that the program which filled the database reported of it, and the secrets it gave out. */
export interface Facts {
  /** When its last sends were open, which later would be too late to send: milliseconds since 1970. */
  recordedAt: number;
  baseUrl: string;
  ircChannels: string[];
  ownerLogins: string[];
  legacyClient: { id: string; secret: string; redirectUri: string };
  people: PersonFacts[];
  /** Tokens that had been revoked. */
  revoked: { clientId: string; accessToken: string; refreshToken: string };
}

export interface PersonFacts {
  login: string;
  accountId: string;
  nick: string;
  issuer: string;
  subject: string;
  isOnline: boolean;
  granted: string[];
  enabled: string[];
  /** The cookie of a browser in which the person is signed in. */
  cookie: string;
  /** Ids of all entries of each enabled channel, newest first. */
  history: Record<string, string[]>;
  agents: AgentFacts[];
}

export interface AgentFacts {
  clientId: string;
  /** Secret of the legacy client; null for all others. */
  clientSecret: string | null;
  accessToken: string;
  refreshToken: string;
  /** The refresh token before that one. */
  spentRefreshToken: string;
  sessions: SessionFacts[];
  sends: SendFacts[];
}

export interface SessionFacts {
  sessionId: string;
  channels: { channel: string; unreadCount: number; lastAcknowledgedEntryId: string | null }[];
  /** Batches that were delivered and not acknowledged. */
  batches: { channel: string; limit: number; entryIds: string[]; gap: boolean }[];
}

export interface SendFacts {
  messageId: string;
  entryId: string;
  channel: string;
  status: string;
  reason: string | null;
}

/** A copy of a recording, ready for a program. */
export interface Recording {
  facts: Facts;
  stateDirectory: string;
}

/** Puts a recording into an empty database, and its keys into a folder. */
export async function restoreRecording(number: string, own: TestDatabase, folder: string): Promise<Recording> {
  const from = join(RECORDINGS, number, own.kind);
  const content = gunzipSync(await readFile(join(from, RECORDED.database)));
  if (own.config.sqlite !== undefined) await writeFile(own.config.sqlite.file, content);
  else {
    const database = own.connect();
    await database.raw(content.toString('utf8'));
    await database.destroy();
  }
  await writeFile(join(folder, RECORDED.keys), await readFile(join(from, RECORDED.keys)), { mode: 0o600 });
  return {
    facts: JSON.parse(await readFile(join(from, RECORDED.facts), 'utf8')) as Facts,
    stateDirectory: folder,
  };
}
