/**
 * Plays what a person, agents and a hub do with the booted container, in its network and with its names, and prints
 * what came of it as JSON. Arguments: the container's first process, a folder for what the browser writes.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentSteps } from '../../../scripts/demo/check/agent.ts';
import { openBrowser } from '../../../scripts/demo/check/browser.ts';
import { connectorSteps } from '../../../scripts/demo/check/connector/index.ts';
import { callTool, type Found, present } from '../../../scripts/demo/check/connector/journey.ts';
import { runSteps } from '../../../scripts/demo/check/steps.ts';
import { OpenParts } from '../../../scripts/demo/open-parts.ts';
import type { Stack } from '../../../scripts/demo/stack.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { runInside } from '../nspawn.ts';
import { facts } from './facts.ts';
import { type Interrupted, interruptSoju } from './interrupt-soju.ts';

/** Result of the journey. */
export interface Journey {
  steps: { proves: string; outcome: string; reason?: string | undefined }[];
  interrupted?: Interrupted;
}

const [leader = '', folder = ''] = process.argv.slice(2);
const inside = async (...command: string[]): Promise<string> => {
  const { status, output, complaint } = await runInside(Number(leader), ...command);
  if (status !== 0) throw new Error(`${command.join(' ')}: ${complaint}`);
  return output;
};

const parts = new OpenParts();
const somewhere = { pid: 0 };
/** The demo's picture of its stack; the terminal is not on such a host. */
const stack: Omit<Stack, 'termprog'> = {
  irc: { host: '127.0.0.1', port: facts.ircPort, network: 'homeport' },
  ergo: somewhere,
  soju: { ...somewhere, adminSocket: '/run/soju/admin' },
  identityProvider: { issuer: `http://127.0.0.1:${facts.identityProvider.port}` },
  connector: {
    ...somewhere,
    baseUrl: facts.baseUrl,
    adminToken: facts.secrets['admin-token'],
    database: '',
    legacyClient: { id: '', secret: '', redirectUri: '' },
  },
  agent: { ...somewhere, baseUrl: `http://127.0.0.1:${facts.agentPort}`, token: facts.secrets['agent-token'] },
  owner: facts.owner,
  users: [facts.owner],
  channels: [...facts.channels],
  testCallbackHosts: [...facts.callbackHosts],
};

async function play(): Promise<Journey> {
  const screenshots = join(folder, 'screenshots');
  mkdirSync(screenshots);
  const browser = await openBrowser({ folder: join(folder, 'browser'), trustsAll: true });
  parts.add(() => browser.close());
  const found: Found = {};
  const asDemo = stack as Stack;
  const results = await runSteps(
    [...connectorSteps(asDemo, { browser, parts, screenshots }, found), ...agentSteps(asDemo)],
    ({ proves, outcome }) => process.stderr.write(`${outcome}: ${proves}\n`),
  );
  const steps = results.map(({ proves, outcome, reason }) => ({ proves, outcome, reason }));
  if (results.some(({ program, outcome }) => program === 'connector' && outcome !== 'proved')) return { steps };
  const agent = present(found.agent);
  await callTool(agent, 'go_online');
  await waitFor(
    'the account is on IRC again',
    async () => (await callTool(agent, 'see_account_information'))['upstreamConnected'] === true,
  );
  const [channel] = facts.channels;
  return { steps, interrupted: await interruptSoju({ inside, agent, irc: present(found.irc), channel }) };
}

try {
  process.stdout.write(JSON.stringify(await play()));
} finally {
  await parts.close();
}
