import { messageOf } from '../../kernel/errors.ts';
import { createAdminSocket } from '../bouncer/admin-socket.ts';
import { type Check, ill, well } from './check.ts';

export const sojuSocket: Check = {
  name: 'soju admin socket',
  examine: async ({ config }) => {
    const { adminSocket } = config.bouncer.soju;
    try {
      const [status = 'it runs'] = await createAdminSocket(adminSocket)(['server', 'status']);
      return well(status);
    } catch (error) {
      const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
      return ill(reason, 'start soju, or set bouncer.soju.adminSocket to the path of its "listen unix+admin://"');
    }
  },
};
