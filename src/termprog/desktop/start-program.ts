/**
 * Starts a program. Node reports some failures by an event, such as a missing program; it throws others, such as a
 * folder on `PATH` that is not one, too long an argument, or lack of memory: `failed` gets the latter.
 * @returns undefined when it threw
 */
export function startProgram<Started>(
  start: () => Started,
  failed: (error: NodeJS.ErrnoException) => void,
): Started | undefined {
  try {
    return start();
  } catch (error) {
    // The caller continues first, as with the event.
    queueMicrotask(() => failed(error as NodeJS.ErrnoException));
    return undefined;
  }
}
