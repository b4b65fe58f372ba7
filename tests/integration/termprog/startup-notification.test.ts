import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { spawnTermprog, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

const PROPERTY_CHANGE_MASK = 1 << 22;

for (const [title, variable, id, said] of [
  ['an identifier', 'DESKTOP_STARTUP_ID', 'launcher-42-host_TIME12345', '"launcher-42-host_TIME12345"'],
  ['one with signs of the protocol', 'DESKTOP_STARTUP_ID', 'a "b" \\ é_TIME1', '"a \\"b\\" \\\\ é_TIME1"'],
  ['a token alone', 'XDG_ACTIVATION_TOKEN', `token-${'x'.repeat(200)}`, `"token-${'x'.repeat(200)}"`],
] as const) {
  test(`a launch with ${title} ends when the window is shown, and the window carries it`, async () => {
    await using launches = await listenForLaunches();
    await using terminal = await startTermprog(desktop, { script: 'sleep 60', environment: { [variable]: id } });

    await waitFor('the launch ends', () => launches.messages.length > 0);

    expect(launches.messages).toEqual([`remove: ID=${said}`]);
    const property = await desktop.run('xprop', '-id', `${terminal.window}`, '_NET_STARTUP_ID');
    expect(property).toContain(id.replaceAll(/["\\]/g, '\\$&'));
  });
}

test('a launch ends as well when there is no such command', async () => {
  await using launches = await listenForLaunches();
  const terminal = spawnTermprog(['-e', '/nonexistent', 'word'], {
    ...desktop.environment,
    DESKTOP_STARTUP_ID: 'failed_TIME1',
  });

  await waitFor('the launch ends', () => launches.messages.length > 0);

  expect(launches.messages).toEqual(['remove: ID="failed_TIME1"']);
  await terminal.stop();
});

test('identifiers that are invalid for launchers are not passed on', async () => {
  await using launches = await listenForLaunches();
  const script = 'sleep 60';
  await using long = await startTermprog(desktop, {
    script,
    environment: { DESKTOP_STARTUP_ID: 'x'.repeat(5_000) },
  });
  await using broken = await startTermprog(desktop, { script, environment: { DESKTOP_STARTUP_ID: 'a\nnew: ID=b' } });
  await using last = await startTermprog(desktop, { script, environment: { DESKTOP_STARTUP_ID: 'last_TIME1' } });

  await waitFor('the last launch ends', () => launches.messages.length > 0);

  expect(launches.messages).toEqual(['remove: ID="last_TIME1"']);
  for (const { window } of [long, broken])
    expect(await desktop.run('xprop', '-id', `${window}`, '_NET_STARTUP_ID')).toContain('not found');
  expect(last.window).toBeGreaterThan(0);
});

/** Hears the messages of programs to launchers, as desktops do; Startup Notification Protocol. */
async function listenForLaunches() {
  const connection = await openTestConnection(desktop);
  const { x } = connection;
  const [begin, info] = [await x.internAtom('_NET_STARTUP_INFO_BEGIN'), await x.internAtom('_NET_STARTUP_INFO')];
  const texts = new Map<number, Buffer>();
  const messages: string[] = [];
  x.listen({
    onEvent: ({ name, wid, message_type: type, rawData }) => {
      if (name !== 'ClientMessage' || (type !== begin && type !== info)) return;
      const before = type === begin ? Buffer.alloc(0) : (texts.get(wid) ?? Buffer.alloc(0));
      const text = Buffer.concat([before, rawData.subarray(12, 32)]);
      const end = text.indexOf(0);
      texts.set(wid, text);
      if (end >= 0) messages.push(text.toString('utf8', 0, end));
    },
    onError: () => {},
    onEnd: () => {},
  });
  x.client.ChangeWindowAttributes(x.screen.root, { eventMask: PROPERTY_CHANGE_MASK });
  await x.askBytes('an answer', Uint8Array.from([43, 0, 1, 0]));
  return { messages, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}
