import { CLOCKS_DIFFER_MS, DAY_MS, ECHO_SOON_MS, OUTSTANDING_MAX_MS, REPLAY_OVERLAP_MS } from './limits.ts';

/**
 * The sends that an own line without their tag can be the echo of: `none`, because sends never have this form;
 * `same_text`, because the bouncer makes the echoes and does not change them; `any_soon`, any send that was just
 * written, because the server usually returns tags; or `any` send on its way.
 */
export type EchoOf = 'none' | 'same_text' | 'any_soon' | 'any';

/** A line that was written and has not come back yet. */
export interface AwaitedEcho {
  text: string;
  /** Milliseconds since 1970. */
  writtenAt: number;
}

/** An own line without a tag. */
export interface UntaggedLine {
  text: string;
  /** Time at which the line came, or the server's time if it is replayed. */
  at: number;
  isReplay: boolean;
  echoOf: EchoOf;
  /**
   * Texts of own lines that came together with this one, after it: a send whose text is among them keeps waiting for
   * that line.
   */
  laterTexts?: readonly string[] | undefined;
}

/**
 * Returns the send that came back. Own lines come back in order, perhaps with changed words. But other clients of the
 * same person speak in between, and servers drop lines without an error: so a send of the same text comes first.
 * @param awaited in the order in which they were written
 */
export function echoedBy<A extends AwaitedEcho>(
  { text, at, isReplay, echoOf, laterTexts = [] }: UntaggedLine,
  awaited: readonly A[],
): A | undefined {
  if (echoOf === 'none') return undefined;
  // Two clocks date a replayed line, and one clock a live line.
  const within = (earliestMs: number, latestMs: number) =>
    awaited.filter(({ writtenAt }) => {
      const tookMs = at - writtenAt;
      return tookMs >= earliestMs && tookMs <= latestMs;
    });
  const same = within(isReplay ? -DAY_MS : 0, DAY_MS).find((each) => each.text === text);
  if (same !== undefined || echoOf === 'same_text') return same;
  const usualMs = echoOf === 'any_soon' ? ECHO_SOON_MS : OUTSTANDING_MAX_MS;
  // A line that was said before the send was written is another client's, as far as two clocks agree.
  const [oldest] = isReplay
    ? within(-CLOCKS_DIFFER_MS, usualMs + REPLAY_OVERLAP_MS)
    : within(Number.NEGATIVE_INFINITY, usualMs);
  // Sends that were written after this line come back after it, too.
  return oldest !== undefined && laterTexts.includes(oldest.text) ? undefined : oldest;
}
