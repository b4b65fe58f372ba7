import { setTimeout as delay } from 'node:timers/promises';
import { residentKiB } from './resident-memory.ts';
import { ADMIN_TOKEN, type ConnectorStack } from './start-connector.ts';

const LOOK_MS = 50;

/** The highest values of what must stay bounded. */
interface Load {
  /** Lines that waited for the database. */
  queuedLines: number;
  residentKiB: number;
}

/** Watches the connector until the result is called. */
export function watchLoad(stack: ConnectorStack): () => Promise<Load> {
  let isWanted = true;
  const most: Load = { queuedLines: 0, residentKiB: 0 };
  const watching = (async () => {
    while (isWanted) {
      const answer = await fetch(`${stack.baseUrl}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
      const depth = Number(/queue_depth\{queue="lines"\} (\d+)/.exec(await answer.text())?.[1]);
      most.queuedLines = Math.max(most.queuedLines, depth);
      most.residentKiB = Math.max(most.residentKiB, residentKiB(stack.connector.pid));
      await delay(LOOK_MS);
    }
  })();
  return async () => {
    isWanted = false;
    await watching;
    return most;
  };
}
