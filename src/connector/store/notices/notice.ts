import type { Subject, Topic } from '../../ports/invalidations.ts';

/** Channel of the notices at the server, within the database. */
export const CHANNEL = 'homeport_connector';
/** Longest payload in bytes: the server refuses 8,000 and more. */
const PAYLOAD_BYTES = 7_500;

/**
 * Topics that other processes hear of. Values of the other topics are read each time while several processes run, and
 * they change with each line.
 */
const PUBLISHED: readonly Topic[] = [
  ...(['account', 'session', 'presence', 'oauth', 'subscriptions'] as const),
  ...(['deliveries', 'owed', 'sends', 'orders', 'slots'] as const),
];

const isTopic = (word: unknown): word is Topic => PUBLISHED.includes(word as Topic);

export const isPublished = ([topic]: Subject): boolean => isTopic(topic);

/** What a process publishes: changes, that there were too many to name, or only that its line works. */
export type Notice = { subjects: readonly Subject[] } | 'all' | 'beat';

/** Returns the payloads of a notice. A key that is too long for one is left out. */
export function payloadsOf(processId: string, notice: Notice): string[] {
  if (typeof notice === 'string') return [JSON.stringify([processId, notice])];
  const payloads: string[] = [];
  let subjects: Subject[] = [];
  const text = (): string => JSON.stringify([processId, subjects]);
  for (const subject of notice.subjects) {
    subjects.push(subject);
    if (Buffer.byteLength(text()) <= PAYLOAD_BYTES) continue;
    subjects.pop();
    if (subjects.length > 0) payloads.push(text());
    subjects = Buffer.byteLength(JSON.stringify([processId, [subject]])) > PAYLOAD_BYTES ? [] : [subject];
  }
  if (subjects.length > 0) payloads.push(text());
  return payloads;
}

/**
 * Parses a payload; undefined if it is not one of this program: every role that may connect to the database can publish.
 * Subjects of topics that this version does not know are left out.
 */
export function noticeOf(payload: string): { processId: string; notice: Notice } | undefined {
  const [processId, what] = arrayOf(payload);
  if (typeof processId !== 'string') return undefined;
  if (what === 'all' || what === 'beat') return { processId, notice: what };
  if (!Array.isArray(what)) return undefined;
  const subjects = what.flatMap((each: unknown): Subject[] => {
    const [topic, key] = Array.isArray(each) ? (each as unknown[]) : [];
    return isTopic(topic) && typeof key === 'string' ? [[topic, key]] : [];
  });
  return { processId, notice: { subjects } };
}

function arrayOf(payload: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(payload);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    // A notice of another program is as good as an empty one.
    return [];
  }
}
