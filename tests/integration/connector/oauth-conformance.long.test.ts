import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { registerClient } from '../../harness/oauth-client.ts';

const CLI = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

const test = testWithStack();

// This client has no secret: the suite sends no secret to a server that takes such clients.
test('the official conformance suite finds no fault with the authorization server', async () => {
  const port = await freePort();
  const id = await registerClient(stack, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const options = ['--url', stack.baseUrl, '--client-id', id, '--resource', stack.baseUrl, '-p', String(port)];
  const suite = startProcess({
    name: 'conformance',
    cwd: stack.folder,
    command: [process.execPath, CLI, 'authorization', ...options],
  });
  try {
    await follow(suite);
    const { exitCode } = await suite.ended;

    expect([exitCode, suite.output()]).toEqual([0, expect.stringMatching(/^Total: \d+ passed, 0 failed$/m)]);
    expect(suite.output()).toMatch(/authorization-server-metadata-endpoint: [1-9]\d* passed/);
    expect(suite.output()).toMatch(/authorization-code-grant: [1-9]\d* passed/);
  } finally {
    await suite.stop();
  }
});

/** A person follows the address that the suite prints, and allows what it asks for: without a scope, that is reading. */
async function follow(suite: ManagedProcess): Promise<void> {
  const address = await waitFor(
    'the suite asks for a person',
    () => /^http\S+\/oauth\/authorize\?\S+$/m.exec(suite.output())?.[0],
    { process: suite },
  );
  const browser = await stack.signIn('ada');
  const answer = await browser.submit(await browser.open(address), { decision: 'allow', scope: ['irc:read'] });
  expect(answer.status).toBe(200);
}
