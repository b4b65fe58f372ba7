import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that was just ended may still write a last file, such as the history of a shell. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const;

/** A new empty folder; its name is short, because sockets in it may have paths of 107 bytes at most. */
export async function tempFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'hp-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, REMOVAL) };
}
