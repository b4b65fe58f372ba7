import { execa } from 'execa';

const DEADLINE_MS = 30_000;

/**
 * Time that the files of a package get, in seconds since 1970: `SOURCE_DATE_EPOCH`, else that of the newest commit.
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 * @throws {Error} where both are missing
 */
export async function epochOf(environment: NodeJS.ProcessEnv): Promise<number> {
  const given = environment['SOURCE_DATE_EPOCH'];
  const text = given ?? (await commitTime());
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new Error(
    given === undefined
      ? 'the time of the sources is not known, because this is no clone of the repository: set SOURCE_DATE_EPOCH'
      : `SOURCE_DATE_EPOCH: expected seconds since 1970, received ${JSON.stringify(given)}`,
  );
}

async function commitTime(): Promise<string> {
  const { stdout } = await execa('git', ['log', '-1', '--format=%ct'], { reject: false, timeout: DEADLINE_MS });
  return stdout.trim();
}
