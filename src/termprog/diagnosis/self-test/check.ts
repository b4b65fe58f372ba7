import type { Configuration } from '../../configuration.ts';
import type { ServerResources } from '../../server-resources.ts';
import type { XConnection } from '../../x11/x-connection.ts';

/** `missing`: the terminal works without it, and the text says at which cost. */
export type Verdict = 'ok' | 'missing' | 'failed';

export interface Finding {
  verdict: Verdict;
  /** Short, without a full stop. */
  text: string;
}

/** The inputs of checks. */
export interface SelfTestContext {
  environment: Readonly<Record<string, string | undefined>>;
  /** Rejects without an X server. */
  display: Promise<XConnection>;
  /** Rejects without an X server, or if it refuses to return them. */
  serverResources: Promise<ServerResources>;
  /** Includes the server's resources, if there is a server. */
  configuration: Promise<Configuration>;
  /** Complaints about the configuration at a start, a line each; complete once the configuration has resolved. */
  complaints: readonly string[];
}

/** One line of the self-test. */
export interface Check {
  name: string;
  /**
   * Runs the check. It throws when the checked part does not work; the message gives the reason.
   * @param deadline is aborted when the result is no longer awaited
   */
  look(context: SelfTestContext, deadline: AbortSignal): Promise<Finding> | Finding;
}

export const ok = (text: string): Finding => ({ verdict: 'ok', text });
export const failed = (text: string): Finding => ({ verdict: 'failed', text });

/** @param cost continues the sentence after "so that" */
export const missing = (what: string, cost: string): Finding => ({
  verdict: 'missing',
  text: `${what}, so that ${cost}`,
});
