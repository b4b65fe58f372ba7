import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** The library that gives a process another time; undefined where the machine lacks it. */
export function fakeTimeLibrary(): string | undefined {
  return readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, 'faketime', 'libfaketimeMT.so.1'))
    .find((file) => existsSync(file));
}

/** The wall clock of one process, as its own kernel would show it. */
export interface FakeTime {
  /** Environment for the process. */
  env: Record<string, string>;
  /** Sets the process's clock, as an offset from the true time in seconds. */
  set(seconds: number): Promise<void>;
}

/** @param folder for a file */
export async function fakeTime(folder: string, seconds: number): Promise<FakeTime> {
  const library = fakeTimeLibrary();
  if (library === undefined) throw new Error('this machine lacks libfaketime');
  const file = join(folder, `time-${seconds}`);
  const set = (to: number): Promise<void> => writeFile(file, `${to < 0 ? '' : '+'}${to}s\n`);
  await set(seconds);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // The file is read again for each look at the clock.
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
