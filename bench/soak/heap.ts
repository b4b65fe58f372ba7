const DEADLINE_MS = 5_000;

interface Target {
  webSocketDebuggerUrl: string;
}

interface Usage {
  usedSize: number;
  /** Bytes of buffers, which are outside the heap. */
  backingStorageSize?: number;
}

/**
 * Lets a Node program with an open inspector collect all garbage, and returns what it uses then, in KiB. Undefined where it
 * does not answer in time: it may be frozen, or have ended.
 */
export async function collectedKiB(inspectPort: number): Promise<number | undefined> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const [target] = (await (await fetch(`http://127.0.0.1:${inspectPort}/json/list`, { signal })).json()) as Target[];
    if (target === undefined) return undefined;
    const { usedSize, backingStorageSize = 0 } = await usageOf(target.webSocketDebuggerUrl, signal);
    return Math.round((usedSize + backingStorageSize) / 1_024);
  } catch {
    return undefined;
  }
}

/** An inspector answers in the order in which it was asked. */
function usageOf(url: string, signal: AbortSignal): Promise<Usage> {
  const socket = new WebSocket(url);
  const answered = new Promise<Usage>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    socket.addEventListener('error', () => reject(new Error(`${url}: the inspector ended the connection`)));
    socket.addEventListener('close', () => reject(new Error(`${url}: the inspector ended the connection`)));
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
      socket.send(JSON.stringify({ id: 2, method: 'Runtime.getHeapUsage' }));
    });
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result: Usage };
      if (id === 2) resolve(result);
    });
  });
  // A program that ends waits until its inspector is left alone.
  return answered.finally(() => socket.close());
}
