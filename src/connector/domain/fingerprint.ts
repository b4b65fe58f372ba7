import { createHash } from 'node:crypto';

export interface FingerprintSource {
  network: string;
  /** Channel or nick that the line is about, folded. */
  target: string;
  command: string;
  /** Message id from the server; undefined without one. */
  msgid: string | undefined;
  serverAt: number | undefined;
  sender: string;
  params: readonly string[];
}

/**
 * Returns the base of the key that keeps a line from being stored twice. A message id decides alone; without one,
 * server time in milliseconds and content decide, and equal lines of one millisecond are numbered. Tags are left out:
 * their order is random.
 */
export function fingerprintBase({
  network,
  target,
  command,
  msgid,
  serverAt,
  sender,
  params,
}: FingerprintSource): string {
  const facts = msgid === undefined ? ['time', serverAt ?? '', sender, ...params] : ['msgid', msgid];
  return createHash('sha256')
    .update(JSON.stringify([network, target, command, ...facts]))
    .digest('base64url');
}
