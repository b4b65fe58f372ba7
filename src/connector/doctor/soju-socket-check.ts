import { messageOf } from '../../kernel/errors.ts';
import { createAdminSocket } from '../bouncer/admin-socket.ts';
import { type Check, type Finding, ok, problem } from './check.ts';

export const sojuSocket: Check = {
  name: 'soju admin socket',
  examine: ({ config }) => lookAtAdminSocket(config.bouncer.soju.adminSocket),
};

/** Reports whether this account reaches soju at its admin socket. */
export async function lookAtAdminSocket(adminSocket: string): Promise<Finding> {
  try {
    const [status = 'it runs'] = await createAdminSocket(adminSocket)(['server', 'status']);
    return ok(status);
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
    return problem(reason, 'start soju, or set bouncer.soju.adminSocket to the path of its "listen unix+admin://"');
  }
}
