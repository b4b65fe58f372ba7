import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connected, informationOf } from '../../harness/person.ts';
import { startTwoNetworks, type TwoNetworks } from '../../harness/two-networks.ts';

let world: TwoNetworks;

beforeAll(async () => {
  world = await startTwoNetworks();
});

afterAll(() => world?.[Symbol.asyncDispose]());

test('a chosen nick outlasts restarts of the connector and of the bouncer', async () => {
  const { stack, ada, bob, submit } = world;
  await submit('/settings/nick', { nick: 'lovelace' });
  const since = bob.lines.length;
  await stack.restartConnector();
  await connected(ada);
  expect(bob.lines.slice(since).filter(({ sender }) => sender === 'lovelace')).toEqual([]);

  await stack.restartSoju();
  await connected(ada);

  await waitFor('the nick is back', async () => (await informationOf(ada))['nick'] === 'lovelace');
});

test('a nick that somebody else has is the person’s when it is free and they ask again', async () => {
  const { ada, bob, submit } = world;
  // The bouncer has just been restarted: a page gives up waiting for an answer after six seconds.
  await waitFor('the nick is refused', async () => (await submit('/settings/nick', { nick: 'bob' })).includes('433'));

  bob.send('NICK', 'robert');
  await bob.seen('its new nick', ({ command, params }) => command === 'NICK' && params[0] === 'robert');
  await waitFor('the nick is theirs', async () => {
    await submit('/settings/nick', { nick: 'bob' });
    return (await informationOf(ada))['nick'] === 'bob';
  });

  expect(await informationOf(ada)).toMatchObject({ nick: 'bob', problems: [] });
  await submit('/settings/nick', { nick: 'lovelace' });
});

test('a choice of network while the bouncer is away is followed when it is back, and so is one back', async () => {
  const { stack, bob, eve, submit, isHeard } = world;
  for (const [network, speaker] of [
    ['other', eve],
    ['main', bob],
  ] as const) {
    await stack.kill('soju');
    await submit('/settings/network', { network });
    await stack.revive('soju');

    await arrived(network);
    await isHeard(speaker, `heard on ${network}`);
  }
});

test('a choice that the end of the program interrupted is followed by the next one', async () => {
  const { stack, eve, submit, isHeard } = world;
  await stack.kill('soju');
  await submit('/settings/network', { network: 'other' });
  await stack.kill('connector');
  await stack.revive('soju');
  await stack.revive('connector');

  await arrived('other');
  await isHeard(eve, 'heard after the end');
});

test('a removal that the end of the program interrupted is finished by the next one', async () => {
  const { stack, newcomer, remove, usersOfSoju } = world;
  const { agent, accountId } = await newcomer('linus');
  const before = await usersOfSoju();
  await stack.kill('soju');

  await remove(accountId);
  await expect(agent.call('see_account_information')).rejects.toThrow();
  await stack.kill('connector');
  await stack.revive('soju');
  await stack.revive('connector');

  await waitFor('the bouncer has one user less', async () => (await usersOfSoju()).length === before.length - 1);
  await agent[Symbol.asyncDispose]();
});

/** Resolves when ada is connected to the network of this name. */
async function arrived(network: string): Promise<void> {
  await waitFor(`the account is on ${network}`, async () => {
    const { server, upstreamConnected } = await informationOf(world.ada);
    return upstreamConnected === true && (server as { network: string }).network === network;
  });
}
