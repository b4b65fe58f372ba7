import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textIn } from './mentions.ts';

/** Longest time that the receiver takes for an answer. */
const ANSWER_MAX_MS = 150;

/** What of the requests under way is counted together. */
type Kind = 'host' | 'account at host';

/** A receiver at each address of loopback, which takes its time and watches what comes at once. */
export interface CrowdedReceiver extends AsyncDisposable {
  port: number;
  /** "HOST PATH TEXT" → the event ids under which it came. */
  idsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Event ids that came while an earlier request with the same id was not over. */
  twiceAtOnce: readonly string[];
  /** Most requests of one kind at the same time. */
  mostOf(kind: Kind): number;
}

/** Paths begin with the account's name. */
export async function crowdedReceiver(): Promise<CrowdedReceiver> {
  const idsOf = new Map<string, Set<string>>();
  const underWay = new Map<string, number>();
  const counts = new Map<string, number>();
  const most = new Map<Kind, number>();
  const twiceAtOnce: string[] = [];
  const server = createServer((req, res) => {
    const id = String(req.headers['webhook-id']);
    const host = String(req.headers.host).split(':')[0] ?? '';
    const path = req.url ?? '';
    if ((underWay.get(id) ?? 0) > 0) twiceAtOnce.push(id);
    const keys: [Kind, string][] = [
      ['host', host],
      ['account at host', `${host} ${path.split('/')[1]}`],
    ];
    const count = (step: number): void => {
      underWay.set(id, (underWay.get(id) ?? 0) + step);
      if (underWay.get(id) === 0) underWay.delete(id);
      for (const [kind, key] of keys) {
        const now = (counts.get(`${kind} ${key}`) ?? 0) + step;
        counts.set(`${kind} ${key}`, now);
        most.set(kind, Math.max(most.get(kind) ?? 0, now));
      }
    };
    count(1);
    // It is over for the sender when the answer is sent, and for a killed sender when its connection is closed.
    let isOver = false;
    const over = (): void => {
      if (!isOver) count(-1);
      isOver = true;
    };
    res.on('close', over);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const key = `${host} ${path} ${textIn(Buffer.concat(chunks).toString('utf8'))}`;
      idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
      setTimeout(() => {
        over();
        res.writeHead(204).end();
      }, Math.random() * ANSWER_MAX_MS);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    ...{ idsOf, twiceAtOnce },
    mostOf: (kind) => most.get(kind) ?? 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
