import { waitFor } from '../../../stack/wait-for.ts';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { type ConnectorStep, type Found, present, REQUEST_DEADLINE_MS } from './journey.ts';

/** The REST interface, with an agent's token, and the owner's metrics. */
export function restSteps({ connector, channels }: Stack, found: Found): ConnectorStep[] {
  const [channel = ''] = channels;
  const call = (path: string, token: string, body?: object): Promise<Response> =>
    fetch(`${connector.baseUrl}${path}`, {
      signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const agentToken = (): string => present(present(found.agent).authorization.tokens()).access_token;
  const messages = `/v1/channels/${channel.slice(1).toUpperCase()}/messages`;
  return [
    {
      proves: 'REST: the status, and a post that arrives and is listed',
      run: async () => {
        const status = (await (await call('/v1/status', agentToken())).json()) as { connected: boolean };
        expectThat(status.connected, 'connected');
        const text = `posted ${Date.now()}`;
        const posted = await call(messages, agentToken(), { text });
        expectThat(posted.status === 202, `202, got ${posted.status}`);
        await waitFor('the post arrives', () =>
          present(found.irc).lines.some((line) => line.endsWith(`PRIVMSG ${channel} :${text}`)),
        );
        const listed = await (await call(`${messages}?limit=5`, agentToken())).text();
        expectThat(listed.includes(text), 'the post in the listing');
      },
    },
    {
      proves: 'the connector counts what it did, for the admin token alone',
      run: async () => {
        expectThat((await call('/metrics', agentToken())).status === 401, '401 for an agent');
        const metrics = await (await call('/metrics', connector.adminToken)).text();
        expectThat(metrics.includes('\nhomeport_connector_sessions_online 1\n'), 'one session online');
        expectThat(metrics.includes('tool="send_message",outcome="ok"'), 'the sent message');
      },
    },
  ];
}
