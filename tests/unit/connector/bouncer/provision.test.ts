import { expect, test } from 'vitest';
import { CommandRefused, type RunCommand } from '../../../../src/connector/bouncer/admin-socket.ts';
import { disableNetworks, provision, removeUser, setChannels } from '../../../../src/connector/bouncer/provision.ts';

const MAIN = { name: 'main', address: 'ircs://irc.example.org' };
const OTHER = { name: 'other', address: 'ircs://irc.example.net' };
const NETWORKS = { wanted: MAIN, approved: [MAIN, OTHER] };
const ACCOUNT = { user: { name: 'ada', password: 'secret', network: null }, nick: 'ada' };

test('a network that is as wanted is left alone, because any update would reconnect it', async () => {
  expect(await provisioned('main (ircs://irc.example.org) [connected]: 1 channels')).toEqual([]);
});

test('a user that the bouncer does not know is made, with a network that is not connected yet', async () => {
  const made: string[] = [];
  const run: RunCommand = async (words) => {
    if (words[1] === 'create') made.push('user');
    else if (!made.includes('user')) throw new CommandRefused('unknown username "ada"');
    else if (words[4] === 'create') made.push('network');
    return [];
  };

  await provision(run, NETWORKS, ACCOUNT);

  expect(made).toEqual(['user', 'network']);
});

test('a network whose server was changed in the configuration gets the new address, and connects when it is set online', async () => {
  expect(await provisioned('main (ircs://irc.example.net) [connected]: 1 channels')).toEqual([
    // A login that was for the other server is not offered to this one.
    'reset -network main',
    'update main -addr ircs://irc.example.org -enabled false',
  ]);
});

test('a network that was renamed at the bouncer gets its name back, if its address identifies it', async () => {
  const mine = 'mine (ircs://irc.example.org) [disabled]';
  const renamed = ['update mine -name main -enabled false'];
  const twin = 'twin (ircs://irc.example.org) [disabled]';
  const other = 'other (ircs://irc.example.net) [disabled]';

  expect(await provisioned(mine)).toEqual(renamed);
  expect(await provisioned(mine, other)).toEqual(renamed);
  expect(await provisioned(mine, twin)).toEqual([expect.stringMatching(/^create -name main /)]);
});

test('a network that the person was on before keeps its name and its history, and is left first', async () => {
  expect(await provisioned('other (ircs://irc.example.net) [connected]: 1 channels')).toEqual([
    'update other -enabled false',
    expect.stringMatching(/^create -name main -addr ircs:\/\/irc\.example\.org .*-enabled false$/),
  ]);
  expect(
    await provisioned(
      'main (ircs://irc.example.org) [disabled]',
      'other (ircs://irc.example.net) [disconnected]: connection refused',
    ),
  ).toEqual(['update other -enabled false']);
});

test('a network that is not approved any more is no name for the usual one, even if it is the only one', async () => {
  expect(await provisioned('gone (ircs://irc.example.com) [connected]: 1 channels')).toEqual([
    'update gone -enabled false',
    expect.stringMatching(/^create -name main /),
  ]);
});

test('an account without a network gets one that is not connected yet', async () => {
  const [command, ...others] = await provisioned('No network configured, add one with "network create".');

  expect(command).toMatch(/^create -name main -addr ircs:\/\/irc\.example\.org .*-enabled false$/);
  expect(others).toEqual([]);
});

test('an account that goes offline is left on no network, also one that it has just moved away from', async () => {
  const commands: string[] = [];
  const run: RunCommand = async (words) => {
    if (words[4] === 'status')
      return ['main (ircs://irc.example.org) [disabled]', 'other (ircs://irc.example.net) [connected]: 1 channels'];
    commands.push(words.slice(4).join(' '));
    return [];
  };

  await disableNetworks(run, ACCOUNT.user);

  expect(commands).toEqual(['update other -enabled false']);
});

test('a user is removed with the confirmation that the bouncer asks for, and one who is gone is gone', async () => {
  const commands: string[] = [];
  await removeUser(async (words) => {
    commands.push(words.join(' '));
    return [];
  }, 'alice');
  expect(commands).toEqual(['user delete alice 522b27']);

  const refusing =
    (reason: string): RunCommand =>
    async () => {
      throw new CommandRefused(reason);
    };
  await removeUser(refusing('unknown username "alice"'), 'alice');
  await expect(removeUser(refusing('failed to stop user'), 'alice')).rejects.toMatchObject({
    code: 'provisioning_failed',
  });
});

for (const [what, casemapping, present, channels, expected] of [
  ['that it may take for the same', 'ascii', ['#A{1}', '#ops'], ['#a[1]'], ['create #a[1]/main', 'delete #ops/main']],
  ['that it may tell apart', 'rfc1459', ['#A{1}'], ['#a[1]'], []],
  ['of which both are enabled', 'ascii', ['#a[1]', '#A{1}'], ['#a[1]', '#A{1}'], []],
  ['of which one is enabled', 'ascii', ['#a[1]', '#A{1}'], ['#a[1]'], ['delete #A{1}/main']],
] as const) {
  test(`a network that compares names otherwise than it last said loses no enabled channel: names ${what}`, async () => {
    const asked: string[] = [];
    const run: RunCommand = async (words) => {
      if (words[4] === 'status') return present.map((channel) => `${channel}/main [joined]`);
      asked.push(words.slice(4).join(' '));
      if (words[4] === 'create') throw new CommandRefused('channel already exists');
      return [];
    };

    await setChannels(run, 'main', { ...ACCOUNT.user, casemapping }, channels);

    expect(asked).toEqual(expected);
  });
}

/** A bouncer that has the user already; the commands about its network are kept. */
async function provisioned(...status: string[]): Promise<string[]> {
  const commands: string[] = [];
  const run: RunCommand = async (words) => {
    if (words[1] === 'create') commands.push('create user');
    const [, , , , verb] = words;
    if (verb === 'status') return status;
    commands.push(words.slice(4).join(' '));
    return [];
  };
  await provision(run, NETWORKS, ACCOUNT);
  return commands;
}
