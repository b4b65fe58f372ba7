const MICROSECONDS_PER_MS = 1_000;

/**
 * Milliseconds of a processor that the work takes in this thread. Unlike time by the clock this stays the same on a
 * busy machine. For work whose cost must not grow out of proportion.
 */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return sinceMs(before);
}

/** The same of work that is awaited, with all that this thread does meanwhile. */
export async function processorMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  return sinceMs(before);
}

function sinceMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / MICROSECONDS_PER_MS;
}
