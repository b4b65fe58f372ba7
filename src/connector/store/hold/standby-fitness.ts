import { pause } from '../../pause.ts';

export interface FitnessParts {
  /** Milliseconds from the end of one look to the beginning of the next. */
  everyMs: number;
  /** Does the first steps of a takeover. @throws Error when they are not possible now */
  look(): Promise<void>;
  /** Whether a failure lasts as long as this process: only a new run reads configuration, secrets and program again. */
  isLasting(error: unknown): boolean;
  /** Called when looks begin to fail in a way that may pass. */
  failed(error: unknown): void;
  /** Ends the looks when it aborts. */
  signal: AbortSignal;
}

/**
 * Checks at an interval whether a waiting process could take over. It may wait for months, with the secrets and the
 * program of its start, and should end long before it is needed if they are outdated.
 * @throws the error of `look`, if it lasts
 */
export async function watchFitness({ everyMs, look, isLasting, failed, signal }: FitnessParts): Promise<void> {
  let isFailing = false;
  while (await pause(everyMs, signal)) {
    try {
      await look();
      isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      if (isLasting(error)) throw error;
      if (!isFailing) failed(error);
      isFailing = true;
    }
  }
}
