import { statSync } from 'node:fs';
import { groupId } from '../../kernel/systemd/accounts.ts';

/** Group that may write to soju's sockets. Its name must differ from the unit's: systemd refuses a dynamic user whose name is a static group's. */
export const SOJU_GROUP = 'homeport-soju';

const GUIDE = 'docs/guides/connector-service.md, part 3, tells how';

/** Write permission of a socket's group. @see unix(7) */
const GROUP_MAY_WRITE = 0o020;

/** Says why the service can't use soju's admin socket. The service starts all the same and keeps trying. */
export function sojuNote(adminSocket: string): string[] {
  const found = statSync(adminSocket, { throwIfNoEntry: false });
  if (found === undefined) {
    return [`soju has no admin socket at ${adminSocket} yet, and nobody is connected to IRC without it: ${GUIDE}`];
  }
  const isShared = found.isSocket() && found.gid === groupId(SOJU_GROUP) && (found.mode & GROUP_MAY_WRITE) !== 0;
  return isShared ? [] : [`soju does not share its admin socket ${adminSocket} with the group ${SOJU_GROUP}: ${GUIDE}`];
}
