import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createSeal } from '../../../src/connector/store/aes-seal.ts';
import type { DatabaseChoice } from '../../../src/connector/store/connect/index.ts';
import { migrateDatabase } from '../../../src/connector/store/database.ts';
import { moveDatabase } from '../../../src/connector/store/move/move.ts';
import { readStateKeys } from '../../../src/connector/store/state-keys.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { askRecordings } from '../../harness/ask-recordings.ts';
import { sliceOfCommit } from '../../harness/commit-slice.ts';
import { inDepthOr } from '../../harness/fuzz-runs.ts';
import { RECORDINGS, restoreRecording } from '../../harness/recorded-database.ts';
import { type PreparedRecording, reviveRecording } from '../../harness/revive-recording.ts';
import { fileDatabase, serverDatabase, type TestDatabase } from '../../harness/test-database.ts';

/** The long tests move this many, the newest among them, and the nightly tests all. */
const RECORDINGS_PER_RUN = 2;

const all = (await readdir(RECORDINGS)).toSorted();
const recordings = inDepthOr(all, () => [...all.slice(-1), ...sliceOfCommit(all.slice(0, -1), RECORDINGS_PER_RUN - 1)]);

askRecordings(recordings, 'moved to PostgreSQL', (number) =>
  reviveRecording(number, (folder) => moved(number, folder, 'postgres')),
);

askRecordings(recordings, 'moved to SQLite', (number) =>
  reviveRecording(number, (folder) => moved(number, folder, 'sqlite')),
);

/** A recording that was made with the other database, and moved. */
async function moved(number: string, folder: string, kind: TestDatabase['kind']): Promise<PreparedRecording> {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  await mkdir(join(folder, 'data'));
  const [file, onServer] = [fileDatabase(join(folder, 'data', 'moved.db')), await serverDatabase(server)];
  const [source, target] = kind === 'postgres' ? [file, onServer] : [onServer, file];
  const recording = await restoreRecording(number, source, folder);
  const [from, to] = [choiceOf(source), choiceOf(target)];
  await migrateDatabase(from, systemClock);
  const keys = readStateKeys(recording.stateDirectory);
  if (keys === undefined) throw new Error('the recording has no keys');
  await moveDatabase({
    ...{ from, to, clock: systemClock, isDryRun: false },
    seal: createSeal(keys.sealKey, keys.earlierSealKeys),
    report: { say: () => undefined, advance: () => undefined },
  });
  await source[Symbol.asyncDispose]();
  return { ...recording, database: target };
}

function choiceOf({ config: { sqlite, postgres } }: TestDatabase): DatabaseChoice {
  if (sqlite !== undefined) return { sqlite };
  if (postgres === undefined) throw new Error('a database is of one of the two kinds');
  return { postgres: { ...postgres, password: undefined, tls: 'off', poolSize: 2 } };
}
