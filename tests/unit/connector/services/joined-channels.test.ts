import { expect } from 'vitest';
import { door, testWithNewDoor } from '../../../harness/fixtures/front-door.ts';
import type { DoorAgent } from '../../../harness/front-door.ts';

const CHANNELS = ['#dev[1]', '#dev{1}'];

const test = testWithNewDoor({ ircChannels: CHANNELS });

let ada: DoorAgent;

test.beforeEach(async () => {
  const accountId = await door.open.account('ada', CHANNELS);
  ada = await door.agent('ada');
  expect(ada.accountId).toBe(accountId);
  await ada.call('go_online');
  // The server lets the account into one of them alone.
  door.bouncer.joined = ['#dev[1]'];
});

for (const [casemapping, isInBoth] of [
  ['ascii', false],
  ['rfc1459', true],
] as const) {
  test(`channels that differ in braces are ${isInBoth ? 'one' : 'two'} to agents where ${casemapping} counts`, async () => {
    await door.open.store.accounts.setCasemapping(ada.accountId, casemapping);
    const joined = isInBoth ? CHANNELS : ['#dev[1]'];

    const { channels } = await ada.call('see_account_information');
    const shown = channels as { channel: string; joined: boolean }[];
    expect(shown.filter((each) => each.joined).map(({ channel }) => channel)).toEqual(joined);
    expect(await (await ada.get('/v1/status')).json()).toMatchObject({ joined_channels: joined });
  });
}
