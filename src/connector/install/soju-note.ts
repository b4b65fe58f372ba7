import { statSync } from 'node:fs';
import { groupId } from '../../kernel/systemd/accounts.ts';

/**
 * Group that may write to soju's sockets. Its name must differ from the unit's: systemd refuses a dynamic user whose
 * name is a static group's.
 */
export const SOJU_GROUP = 'homeport-soju';

const REMEDY = 'sudo homeport-connector share-soju';

/** Write permission of a socket's group. @see unix(7) */
const GROUP_MAY_WRITE = 0o020;

/**
 * Returns why the service can't use soju's admin socket, judged by its file; undefined if it can. The service starts
 * all the same and keeps trying.
 */
export function sojuNote(adminSocket: string): string[] | undefined {
  const found = statSync(adminSocket, { throwIfNoEntry: false });
  if (found === undefined) {
    return [
      `soju has no admin socket at ${adminSocket} yet, and nobody is connected to IRC without it: install soju, add "listen unix+admin://${adminSocket}" to its configuration, then ${REMEDY}`,
    ];
  }
  const isShared = found.isSocket() && found.gid === groupId(SOJU_GROUP) && (found.mode & GROUP_MAY_WRITE) !== 0;
  return isShared
    ? undefined
    : [`soju does not share its admin socket ${adminSocket} with the group ${SOJU_GROUP}: ${REMEDY}`];
}
