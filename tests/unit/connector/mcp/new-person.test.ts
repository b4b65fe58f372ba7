import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { door, testWithDoor } from '../../../harness/fixtures/front-door.ts';

const test = testWithDoor({ maxUsers: 20 });

for (const [login, nick] of [
  ['ada', 'ada'],
  ['1st.guest', 'u1st_guest'],
  ['x'.repeat(32), 'x'.repeat(31)],
  ['9'.repeat(40), `u${'9'.repeat(30)}`],
] as const) {
  test(`a person with the login ${login} has the nick ${nick}, of at most 31 characters`, async () => {
    verifies('connector.account.nick', 'connector.limit.nick-length');
    await door.services.invite({ login });

    const agent = await door.agent(login);

    expect(await agent.call('see_account_information')).toMatchObject({ nick });
  });
}

test('a new person has the owner’s grants, all of them disabled, and can enable no other channel', async () => {
  verifies('connector.account.granted-channels', 'connector.account.enabled-channels');
  const { accountId } = await door.services.invite({ login: 'bob', channels: ['#room'] });
  const agent = await door.agent('bob');
  const channels = async () => (await agent.call('see_account_information'))['channels'];
  expect(await channels()).toEqual([]);

  await door.services.enableChannels(accountId, ['#room', '#ops']);

  expect(await channels()).toMatchObject([{ channel: '#room' }]);
  const unlisted = door.services.invite({ login: 'bob', channels: ['#elsewhere'] });
  await expect(unlisted).rejects.toMatchObject({ code: 'channel_unknown' });
  await door.services.invite({ login: 'bob', channels: ['#ops'] });
  expect(await channels()).toEqual([]);
});

test('an invitation is for the channels that it names, and for all of them if it names no channel', async () => {
  verifies('connector.invitation.channels', 'connector.invitation.idp-login');
  const granted = async (login: string) =>
    (await door.open.store.accounts.findByLogin(login))?.grants.map(({ channel }) => channel);

  await door.services.invite({ login: 'dora', channels: ['#ops'] });
  await door.services.invite({ login: 'carol' });

  expect([await granted('dora'), await granted('carol'), await granted('dave')]).toEqual([
    ['#ops'],
    ['#ops', '#room'],
    undefined,
  ]);
});
