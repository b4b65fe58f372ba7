import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { agent, bob, stack, testInRoom } from '../../harness/fixtures/room.ts';
import { captured, gapsOf, historyOf } from '../../harness/history.ts';
import { connected } from '../../harness/person.ts';
import { becomes } from '../../harness/sending.ts';
import { connectorCommand } from '../../harness/start-connector.ts';

const HALF_HOUR_MS = 30 * 60 * 1_000;
const YEAR_MS = 365 * 48 * HALF_HOUR_MS;
const SOCKET_MODE = 0o600;

const test = testInRoom();

const said = (text: string) => captured(agent, text);

test('an admin socket without permission is reported once, and works when the permission is there', async () => {
  await chmod(stack.soju.adminSocket, 0);
  // Root may open any file, so the program runs without that right.
  const isRoot = process.getuid?.() === 0;
  const unprivileged = ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override', '--'];
  const connector = await startOtherwise((command) => [...(isRoot ? unprivileged : []), ...command]);

  await waitFor('the log says what to do', () => connector.output().includes('may not be opened: run soju and'));
  const { upstreamConnected } = await agent.call('see_account_information');
  expect(upstreamConnected).toBeNull();
  await chmod(stack.soju.adminSocket, SOCKET_MODE);

  await connected(agent);
  bob.say('#room', 'after the permission');
  await said('after the permission');
  expect(connector.output().split('may not be opened')).toHaveLength(2);
});

test('while the admin socket is lost, a session goes on, and going offline is refused', async () => {
  const lost = `${stack.soju.adminSocket}.lost`;
  await rename(stack.soju.adminSocket, lost);

  bob.say('#room', 'without the admin socket');
  await said('without the admin socket');
  const sent = await agent.call('send_message', { channel: '#room', text: 'sent without the admin socket' });
  await becomes(agent, sent, 'echoed');
  await expect(agent.call('go_offline')).rejects.toThrow('the bouncer does not answer');

  await rename(lost, stack.soju.adminSocket);
  await connected(agent);
  bob.say('#room', 'with the admin socket again');
  await said('with the admin socket again');
});

test('a clock that is set forward and back moves no line, loses none, and lets sends go on', async () => {
  const [shift, preload] = [join(stack.folder, 'shift'), join(stack.folder, 'shifted-clock.mjs')];
  const setClock = (milliseconds: number) => writeFile(shift, String(milliseconds));
  await writeFile(preload, shiftedClock(shift));
  const shifted = () =>
    startOtherwise((command) => ['env', `NODE_OPTIONS=--import=${pathToFileURL(preload).href}`, ...command]);
  await setClock(0);
  await shifted();
  const { sessionId } = await agent.call('see_account_information');
  const texts: string[] = [];
  const say = async (text: string) => {
    texts.push(text);
    bob.say('#room', text);
    await said(text);
  };

  for (const milliseconds of [0, HALF_HOUR_MS, -HALF_HOUR_MS]) {
    await setClock(milliseconds);
    await say(`clock ${milliseconds}, live`);
    await stack.connector.stop();
    texts.push(`clock ${milliseconds}, missed`);
    bob.say('#room', `clock ${milliseconds}, missed`);
    await shifted();
    await said(`clock ${milliseconds}, missed`);
    const sent = await agent.call('send_message', { channel: '#room', text: `sent at ${milliseconds}` });
    await becomes(agent, sent, 'echoed');
  }

  const ours = (entries: { text: string }[]) => entries.map(({ text }) => text).filter((text) => /^clock /.test(text));
  const page = { channel: '#room', mode: 'unread', session_id: sessionId, limit: 200 };
  expect(ours(await historyOf(agent, '#room'))).toEqual(texts);
  expect(ours((await agent.call('read_history', page))['entries'] as { text: string }[])).toEqual(texts);
  expect(await gapsOf(agent)).toEqual([]);
});

test('a clock that is a year ahead for a while after the start takes no history away, and signs nobody out', async () => {
  const shifted = await shiftedStart();
  bob.say('#room', 'before the clock went ahead');
  await said('before the clock went ahead');

  await shifted(YEAR_MS);
  bob.say('#room', 'while the clock is ahead');
  const database = stack.database.connect();
  await waitFor('it is stored', () => database('entries').where('text', 'while the clock is ahead').first());
  await database.destroy();
  await shifted(0);

  bob.say('#room', 'after the clock was set right');
  await said('after the clock was set right');
  const texts = (await historyOf(agent, '#room')).map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining([
      'before the clock went ahead',
      'while the clock is ahead',
      'after the clock was set right',
    ]),
  );
});

/** Starts the connector anew under a clock that is ahead by so much. */
async function shiftedStart(): Promise<(milliseconds: number) => Promise<void>> {
  const [shift, preload] = [join(stack.folder, 'ahead'), join(stack.folder, 'clock-ahead.mjs')];
  await writeFile(preload, shiftedClock(shift));
  return async (milliseconds) => {
    await writeFile(shift, String(milliseconds));
    await startOtherwise((command) => ['env', `NODE_OPTIONS=--import=${pathToFileURL(preload).href}`, ...command]);
  };
}

/** Changes the clock that one process reads: the machine's clock itself can't be set for one process. */
const shiftedClock = (file: string): string => `
import { readFileSync } from 'node:fs';
const { now } = Date;
Date.now = () => now() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
`;

/** The connector in place of the one that runs, started in another way. */
async function startOtherwise(wrap: (command: readonly string[]) => readonly string[]): Promise<ManagedProcess> {
  await stack.connector.stop();
  const [program = '', ...args] = wrap(connectorCommand(stack.configFile));
  const connector = startProcess({ name: 'connector', command: [program, ...args] });
  stack.connector = connector;
  const answers = async () => (await fetch(`${stack.baseUrl}/healthz`)).ok;
  await waitFor('the connector answers', answers, { process: connector });
  return connector;
}
