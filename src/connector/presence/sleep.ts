/**
 * Waits for this time; a signal ends the wait early.
 * @param ref whether the wait keeps the program alive
 */
export function sleep(ms: number, { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {}): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (!ref) timer.unref();
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}
