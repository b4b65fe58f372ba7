import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { connectorConfig } from '../../../schemas/connector.ts';
import { createStandbyApp } from '../../../src/connector/http/standby.ts';
import { runInvite } from '../../../src/connector/invite-command.ts';
import { standbyRefusals } from '../../../src/connector/standby-refusals.ts';
import { StartError } from '../../../src/kernel/errors.ts';
import { createLog } from '../../../src/kernel/log.ts';

/** Deadline for what never answers. */
const SHORT_MS = 300;
/** Deadline for what answers, on a busy machine. */
const LONG_MS = 30_000;

for (const [what, happened, deadlineMs, answer] of [
  ['answers too late', 'has not answered within 0.3 s', SHORT_MS, () => undefined],
  [
    'begins an answer and goes no further',
    'has not answered within 0.3 s',
    SHORT_MS,
    (_req, res) => void res.writeHead(201).write('{'),
  ],
  ['hangs up', 'has hung up', LONG_MS, (req) => req.socket.destroy()],
] as const satisfies [string, string, number, RequestListener][]) {
  test(`the command says of a connector that ${what} that it may have invited, and how to see`, async () => {
    const error = await invite(answer, deadlineMs);

    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^the connector at http://127\\.0\\.0\\.1:\\d+ ${happened}\\. It may have invited bob: .* https://irc\\.example\\.org/settings`,
        ),
      ),
    });
    expect(String(error)).not.toContain('start it');
  });
}

test('the command says whether it may be repeated: a new person who has signed in meanwhile would lose the login', async () => {
  const words = async (isNewPerson: boolean) => String(await invite(() => undefined, SHORT_MS, isNewPerson));

  expect(await words(false)).toContain('settings; repeating the command does no harm.');
  expect(await words(true)).toContain('settings; look there before you repeat the command.');
});

test('the command says that a program that answers with a page invited no person', async () => {
  expect(await invite((_req, res) => void res.writeHead(404).end('<h1>Not here</h1>'), LONG_MS)).toMatchObject({
    message: 'not invited: HTTP 404',
  });
});

test('the command says on a standby that another process serves, and where to run it', async () => {
  const standby = createStandbyApp({
    isEnding: () => false,
    log: createLog('standby', 'error', new PassThrough()),
    ...standbyRefusals,
  });

  expect(await invite(standby, LONG_MS)).toMatchObject({
    message: expect.stringMatching(
      /waits as a standby, .* Run this command on its machine, which homeport-connector doctor names$/,
    ),
  });
});

/** The command against something that listens where the connector should. */
async function invite(answer: RequestListener, deadlineMs: number, isNewPerson = false): Promise<unknown> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const config = connectorConfig.parse({
    baseUrl: 'https://irc.example.org',
    ircChannels: ['#room'],
    settings: { ownerLogins: ['ada'] },
    identityProvider: { oidc: { issuer: 'https://id.example.org', clientId: 'x', clientSecretFile: '/secret' } },
    bouncer: { soju: { network: { address: 'ircs://irc.example.org' } } },
    adminTokenFile: '/token',
    listen: { address: '127.0.0.1', port: (server.address() as AddressInfo).port },
  });
  const words = { login: 'bob', channels: undefined, isNewPerson, isJson: false };
  return runInvite(config, words, () => 'the-token-of-the-tests', deadlineMs).catch((error: unknown) => error);
}
