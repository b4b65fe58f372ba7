import { waitFor } from '../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent } from './agent.ts';
import type { ConnectorStack } from './start-connector.ts';

type Settings = Pick<ConnectorStack, 'baseUrl' | 'signIn'>;

/** A person lets their agents into these channels and no others. */
export async function enableChannels(stack: Settings, login: string, channels: readonly string[]): Promise<void> {
  const browser = await stack.signIn(login);
  await browser.submit(await browser.open(`${stack.baseUrl}/settings`), { channel: [...channels] }, '/settings');
}

/** An agent of a person who lets it into these channels. */
export async function agentIn(stack: Settings, login: string, channels: readonly string[]): Promise<Agent> {
  await enableChannels(stack, login, channels);
  return connectAgent(stack, login);
}

export const informationOf = (agent: Agent): Promise<Record<string, unknown>> => agent.call('see_account_information');

/** Resolves when the network of the agent's account is connected. */
export async function connected(agent: Agent): Promise<void> {
  await waitFor('the network is connected', async () => (await informationOf(agent))['upstreamConnected'] === true);
}
