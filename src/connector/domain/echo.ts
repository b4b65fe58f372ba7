import { CLOCKS_DIFFER_MS, DAY_MS, ECHO_SOON_MS, OUTSTANDING_MAX_MS, REPLAY_OVERLAP_MS } from './limits.ts';

/**
 * Which sends an own line without their tag can be the echo of: none, because no send is said like this; one of the same text,
 * because the bouncer makes the echoes and changes nothing; any that was just written, because the server usually gives tags
 * back; or any on its way.
 */
export type EchoOf = 'none' | 'same_text' | 'any_soon' | 'any';

/** A line on its way. */
export interface AwaitedEcho {
  text: string;
  /** Milliseconds since 1970. */
  writtenAt: number;
}

/** An own line without a tag. */
export interface UntaggedLine {
  text: string;
  /** When it came, or when the server dates it if it is replayed. */
  at: number;
  isReplay: boolean;
  echoOf: EchoOf;
  /** What own lines say that came together with it, after it: what waits for one of them waits on. */
  laterTexts?: readonly string[] | undefined;
}

/**
 * The line that came back. Own lines come back in order, perhaps with other words than they were sent with. But other clients of
 * the same person speak in between, and servers drop lines without a word: so one of the same text is meant first of all.
 * @param awaited in the order in which they were written
 */
export function echoedBy<A extends AwaitedEcho>(
  { text, at, isReplay, echoOf, laterTexts = [] }: UntaggedLine,
  awaited: readonly A[],
): A | undefined {
  if (echoOf === 'none') return undefined;
  // Two clocks date what is replayed, and one what comes live.
  const within = (earliestMs: number, latestMs: number) =>
    awaited.filter(({ writtenAt }) => {
      const tookMs = at - writtenAt;
      return tookMs >= earliestMs && tookMs <= latestMs;
    });
  const same = within(isReplay ? -DAY_MS : 0, DAY_MS).find((each) => each.text === text);
  if (same !== undefined || echoOf === 'same_text') return same;
  const usualMs = echoOf === 'any_soon' ? ECHO_SOON_MS : OUTSTANDING_MAX_MS;
  // What was said before the line was written is another client's, as far as two clocks agree.
  const [oldest] = isReplay
    ? within(-CLOCKS_DIFFER_MS, usualMs + REPLAY_OVERLAP_MS)
    : within(Number.NEGATIVE_INFINITY, usualMs);
  // Lines that were written after it come back after it, too.
  return oldest !== undefined && laterTexts.includes(oldest.text) ? undefined : oldest;
}
