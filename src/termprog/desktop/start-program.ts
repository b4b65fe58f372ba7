/**
 * Starts a program. Node tells some reasons why it can't by an event, such as that there is none; others it throws, such
 * as a folder on `PATH` that is not one, too long an argument, or no memory: `failed` is told of those.
 * @returns undefined when it threw
 */
export function startProgram<Started>(
  start: () => Started,
  failed: (error: NodeJS.ErrnoException) => void,
): Started | undefined {
  try {
    return start();
  } catch (error) {
    // Whoever asked goes on first, as with the event.
    queueMicrotask(() => failed(error as NodeJS.ErrnoException));
    return undefined;
  }
}
