import { createHash } from 'node:crypto';

export interface FingerprintSource {
  network: string;
  /** Channel or nick the line is about, folded. */
  target: string;
  command: string;
  /** Message id given by the server, undefined where it gives none. */
  msgid: string | undefined;
  serverAt: number | undefined;
  sender: string;
  params: readonly string[];
}

/**
 * Base of the key under which a line is stored once. With a message id that id decides; without one, the server time in
 * milliseconds and the content do, and equal lines of one millisecond are numbered. Tags are left out: their order is random.
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
