import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { bearerToken, secretMatcher } from '../../kernel/http/bearer.ts';
import { parseLogin } from '../domain/login.ts';
import { ConnectorError, httpStatusOf } from '../errors.ts';
import type { Services } from '../services/index.ts';

const BODY_MAX_BYTES = 64 * 1024;

const Login = z.string().transform((written, { issues, value: input }) => {
  const login = parseLogin(written);
  if (login === undefined) issues.push({ code: 'custom', input, message: 'not a login' });
  return login ?? z.NEVER;
});

const Invitation = z.strictObject({
  idp_login: Login,
  channels: z.array(z.string().max(64)).max(1_000).optional(),
});

/** Lets owners invite by a program. Where no admin token is configured, it refuses everybody. @spec connector#owner-invitation */
export function createInviteRouter(services: Services, adminToken: string | undefined): Router {
  const isAdmin = adminToken === undefined ? () => false : secretMatcher(adminToken);
  const router = Router();
  router.post(
    '/admin/invite',
    (req: Request, res: Response, next: NextFunction) => {
      if (isAdmin(bearerToken(req.headers.authorization))) next();
      else refuse(res.set('WWW-Authenticate', 'Bearer'), 401, 'unauthorized', 'present the admin token');
    },
    express.json({ limit: BODY_MAX_BYTES }),
    async (req: Request, res: Response) => {
      const body = Invitation.safeParse(req.body);
      if (!body.success) {
        refuse(res, 422, 'invitation_invalid', 'expected {"idp_login": LOGIN, "channels": [CHANNEL, …]}');
        return;
      }
      const { idp_login: login, channels } = body.data;
      const account = await services.invite({ login, channels });
      res.status(201).json({ idp_login: login, channels: account.grants.map(({ channel }) => channel) });
    },
    (error: unknown, _req: Request, res: Response, next: NextFunction) => {
      if (error instanceof ConnectorError) refuse(res, httpStatusOf[error.code], error.code, error.message);
      else if (error instanceof SyntaxError) refuse(res, 400, 'invitation_invalid', 'the body is not JSON');
      else next(error);
    },
  );
  return router;
}

function refuse(res: Response, status: number, code: string, message: string): void {
  res.status(status).json({ error: { code, message } });
}
