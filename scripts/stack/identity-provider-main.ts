/**
 * The development identity provider: it accepts any login, without a password. It serves the demo and the tests, on
 * loopback only.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import { interactionPolicy, Provider } from 'oidc-provider';
import { z } from 'zod';

const Settings = z.strictObject({
  port: z.int().positive(),
  clientId: z.string(),
  clientSecret: z.string(),
  redirectUri: z.string(),
});
const settings = Settings.parse(JSON.parse(process.env['IDENTITY_PROVIDER'] ?? '{}'));
const Login = z.strictObject({ login: z.string().trim().min(1).max(255) });

/** Asks at every sign-in, so that one browser can be several people in turn. */
function alwaysAsk(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('ask', 'a login is asked every time', (ctx) => ctx.oidc.result?.login === undefined),
    );
  return policy;
}

const provider = new Provider(`http://127.0.0.1:${settings.port}`, {
  clients: [
    {
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      redirect_uris: [settings.redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], profile: ['preferred_username'] },
  scopes: ['openid', 'profile'],
  pkce: { required: () => false },
  cookies: { keys: ['development only'] },
  features: { devInteractions: { enabled: false } },
  interactions: { policy: alwaysAsk(), url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
  findAccount: (_ctx, login) => ({
    accountId: login,
    claims: () => ({ sub: login, preferred_username: login }),
  }),
  // The one client gets consent for everything it asks.
  loadExistingGrant: async (ctx) => {
    const { client, session, params } = ctx.oidc;
    const grant = new ctx.oidc.provider.Grant({
      ...(client === undefined ? {} : { clientId: client.clientId }),
      ...(session?.accountId === undefined ? {} : { accountId: session.accountId }),
    });
    grant.addOIDCScope(String(params?.['scope'] ?? 'openid'));
    await grant.save();
    return grant;
  },
});

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Development sign-in</title>
<style>
  :root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
  body { max-width: 22rem; margin: 15vh auto; padding: 0 1rem }
  input, button { font: inherit; box-sizing: border-box; width: 100%; padding: .6rem; margin-top: .4rem }
  p { color: GrayText }
</style>
<h1>Who are you?</h1>
<form method="post">
  <label for="login">Login</label>
  <input id="login" name="login" required autofocus autocapitalize="none" autocomplete="username">
  <button>Sign in</button>
</form>
<p>Development identity provider: any login is let in.</p>
</html>
`;

const app = express();
app.get('/sign-in/:uid', async (req: Request, res: Response) => {
  await provider.interactionDetails(req, res);
  res.type('html').send(page);
});
app.post('/sign-in/:uid', express.urlencoded({ extended: false }), async (req: Request, res: Response) => {
  const { login } = Login.parse(req.body);
  await provider.interactionFinished(req, res, { login: { accountId: login } });
});
app.use(provider.callback());

const server = createServer(app);
server.listen(settings.port, '127.0.0.1');
await once(server, 'listening');
