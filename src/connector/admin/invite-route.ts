import { z } from 'zod';
import { CHANNEL_MAX_CHARACTERS } from '../domain/channel.ts';
import { parseLogin } from '../domain/login-name.ts';
import { ConnectorError } from '../errors.ts';
import type { GuardedRoute } from '../http/guarded-route.ts';
import type { Services } from '../services/index.ts';

const BODY_MAX_BYTES = 64 * 1024;

const CHANNELS_MAX = 1_000;

const Login = z.string().transform((written, { issues, value: input }) => {
  const login = parseLogin(written);
  if (login === undefined) issues.push({ code: 'custom', input, message: 'not a login' });
  return login ?? z.NEVER;
});

const Invitation = z.strictObject({
  idp_login: Login,
  channels: z.array(z.string().max(CHANNEL_MAX_CHARACTERS)).max(CHANNELS_MAX).optional(),
  new_person: z.boolean().optional(),
});

const OWNERS_KEEP_ALL =
  'this login is an owner’s: owners need no invitation and always have every channel of ircChannels';

/** Lets programs invite people with the admin token. @spec connector#owner-invitation */
export const inviteRoute = (services: Services): GuardedRoute => ({
  method: 'post',
  path: '/admin/invite',
  guard: 'admin',
  speaks: 'json',
  bodyMaxBytes: BODY_MAX_BYTES,
  handlers: [
    async (req, res) => {
      const body = Invitation.safeParse(req.body);
      if (!body.success) {
        throw new ConnectorError(
          'invitation_invalid',
          'expected {"idp_login": LOGIN, "channels": [CHANNEL, …]}, and where the login has passed to another person "new_person": true',
        );
      }
      const { idp_login: login, channels, new_person: isNewPerson } = body.data;
      const account = await services.invite({ login, channels, isNewPerson });
      const isOwner = services.isOwner(account);
      res.status(201).json({
        idp_login: login,
        channels: account.grants.map(({ channel }) => channel),
        owner: isOwner,
        ...(isOwner ? { note: OWNERS_KEEP_ALL } : {}),
      });
    },
  ],
});
