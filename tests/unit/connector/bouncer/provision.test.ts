import { expect, test } from 'vitest';
import { CommandRefused, type RunCommand } from '../../../../src/connector/bouncer/admin-socket.ts';
import { provision } from '../../../../src/connector/bouncer/provision.ts';

const NETWORK = { name: 'main', address: 'ircs://irc.example.org' };
const ACCOUNT = { user: { name: 'ada', password: 'secret' }, nick: 'ada' };

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
  await provision(run, NETWORK, ACCOUNT);
  return commands;
}

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

  await provision(run, NETWORK, ACCOUNT);

  expect(made).toEqual(['user', 'network']);
});

test('a network whose server was changed in the configuration gets the new address, and connects when it is set online', async () => {
  expect(await provisioned('main (ircs://irc.example.net) [connected]: 1 channels')).toEqual([
    'update main -addr ircs://irc.example.org -enabled false',
  ]);
});

test('the only network gets its name back, one among others does not', async () => {
  const mine = 'mine (ircs://irc.example.org) [connected]: 1 channels';
  const other = 'other (ircs://irc.example.net) [disabled]';

  expect(await provisioned(mine)).toEqual(['update mine -name main -enabled false']);
  expect(await provisioned(mine, other)).toEqual([expect.stringMatching(/^create -name main /)]);
});

test('an account without a network gets one that is not connected yet', async () => {
  const [command, ...others] = await provisioned('No network configured, add one with "network create".');

  expect(command).toMatch(/^create -name main -addr ircs:\/\/irc\.example\.org .*-enabled false$/);
  expect(others).toEqual([]);
});
