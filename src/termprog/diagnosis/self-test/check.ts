import type { Configuration } from '../../configuration.ts';
import type { XConnection } from '../../x11/connection.ts';

/** `missing`: the terminal works without it, and the text says what that costs. */
export type Verdict = 'ok' | 'missing' | 'failed';

export interface Finding {
  verdict: Verdict;
  /** Short, without a full stop. */
  text: string;
}

/** What checks look at. */
export interface SelfTestContext {
  environment: Readonly<Record<string, string | undefined>>;
  /** Rejects when there is no X server. */
  display: Promise<XConnection>;
  /** With the server's resources where there is a server. */
  configuration: Promise<Configuration>;
  /** What the configuration would complain of at a start, a line each; complete once it is there. */
  complaints: readonly string[];
}

/** One line of the self-test. */
export interface Check {
  name: string;
  /**
   * Throws when what is looked at does not work; the message says why.
   * @param deadline is aborted when nobody waits for the finding any more
   */
  look(context: SelfTestContext, deadline: AbortSignal): Promise<Finding> | Finding;
}

export const ok = (text: string): Finding => ({ verdict: 'ok', text });
export const failed = (text: string): Finding => ({ verdict: 'failed', text });

/** @param cost goes on after "so that" */
export const missing = (what: string, cost: string): Finding => ({
  verdict: 'missing',
  text: `${what}, so that ${cost}`,
});
