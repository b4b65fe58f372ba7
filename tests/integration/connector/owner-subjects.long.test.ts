import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runConnector } from '../../harness/lonely-connector.ts';
import { startConnectorStack, writeConfig } from '../../harness/start-connector.ts';

test('an owner named by subject signs in when all places are taken, and doctor warns of logins only where they make owners', async () => {
  await using stack = await startConnectorStack({
    config: { settings: { ownerLogins: [], ownerSubjects: ['ada'], maxUsers: 1 } },
  });
  expect((await stack.invite('bob')).status).toBe(201);
  const mayInvite = async (login: string) => {
    const browser = await stack.signIn(login);
    return (await browser.open(`${stack.baseUrl}/settings`)).body.includes('Invite');
  };

  expect([await mayInvite('ada'), await mayInvite('bob')]).toEqual([true, false]);

  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  const lineWith = async (settings: object) => {
    const file = await writeConfig(join(stack.folder, 'changed'), { ...config, settings });
    const { stdout } = await runConnector(file, 'doctor');
    return stdout.split('\n').find((line) => / identity provider /.test(line));
  };
  expect(await lineWith({ ownerLogins: [], ownerSubjects: ['ada'] })).toMatch(/^ok (?!.*can become an owner)/);
  expect(await lineWith({ ownerLogins: ['ada'] })).toMatch(
    /^ok .*edit their preferred_username there can become an owner/,
  );

  const nobody = await writeConfig(join(stack.folder, 'nobody'), { ...config, settings: { ownerLogins: [] } });
  const refused = await runConnector(nobody);
  expect(refused.exitCode).toBe(78);
  expect(refused.stderr).toContain(
    'settings.ownerLogins: expected at least 1 owner, here or in settings.ownerSubjects',
  );
});
