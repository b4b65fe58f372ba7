import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { WireEvent } from 'x11';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { startCountingServer } from '../../harness/counting-x-server.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

const SUBSTRUCTURE_NOTIFY_MASK = 1 << 19;
const CLIENT_MESSAGE = 33;

/** Codes of requests; X11 protocol, appendix B. */
const CHANGE_PROPERTY = 18;
const BELL = 104;

const GREEN = 0x00cd00;

test('a ping of the window manager is answered while output pours in', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, { script: 'yes' });
  const { client, screen } = await connectX(desktop.environment);
  const root = screen[0]?.root ?? 0;
  const atom = (name: string): Promise<number> => answer(name, (reply) => client.InternAtom(false, name, reply));
  const answers: WireEvent[] = [];
  client.on('event', (event: WireEvent) => {
    if (event.name === 'ClientMessage') answers.push(event);
  });
  client.ChangeWindowAttributes(root, { eventMask: SUBSTRUCTURE_NOTIFY_MASK });
  const [protocols, ping] = [await atom('WM_PROTOCOLS'), await atom('_NET_WM_PING')];
  const message = Buffer.alloc(32);
  message.writeUInt8(CLIENT_MESSAGE, 0);
  message.writeUInt8(32, 1);
  message.writeUInt32LE(terminal.window, 4);
  message.writeUInt32LE(protocols, 8);
  for (const [index, value] of [ping, 4_711, terminal.window].entries()) message.writeUInt32LE(value, 12 + 4 * index);

  client.SendEvent(terminal.window, 0, 0, message);
  await waitFor('it is answered', () => answers.length === 1);
  client.terminate();

  expect(answers[0]).toMatchObject({ wid: root, message_type: protocols, format: 32 });
  expect(answers[0]?.data.slice(0, 3)).toEqual([ping, 4_711, terminal.window]);
});

test('a thousand bells and titles in a row are a few requests', async ({ desktop }) => {
  await using proxy = await startCountingServer(desktop.environment.DISPLAY);
  const file = desktop.newFile();
  const flood = `for n in $(seq 1000); do printf '\\007\\033]2;title %s\\007' $n; done`;
  await using terminal = await startTermprog(desktop, {
    script: `while [ ! -e ${file} ]; do sleep 0.02; done; ${flood}; printf '\\033[42m green '; sleep 60`,
    environment: { DISPLAY: proxy.display },
  });
  const before = proxy.requests(CHANGE_PROPERTY);

  const startMs = performance.now();
  writeFileSync(file, '');
  await waitFor('it is all read', async () => countColor(await terminal.screenshot(), GREEN) > 100);
  const tookMs = performance.now() - startMs;

  expect(proxy.requests(BELL)).toBeGreaterThan(0);
  // At most five bells a second reach the server.
  expect(proxy.requests(BELL)).toBeLessThanOrEqual(1 + tookMs / 200);
  // Two for each title, in at most one of eight milliseconds.
  expect(proxy.requests(CHANGE_PROPERTY) - before).toBeLessThanOrEqual(2 * (1 + tookMs / 8));
  expect(await desktop.run('xprop', '-id', `${terminal.window}`, '_NET_WM_NAME')).toContain('"title 1000"');
});

test('over a line on which each answer takes a while all is as it is nearby, and little is sent', async ({
  desktop,
}) => {
  const script = `seq 1 20000; printf '\\033[42m green \\033[m\\033[?25l'; read -r typed; echo "$typed" > `;
  const file = desktop.newFile();
  await using nearby = await startTermprog(desktop, { script: `${script}${file}-nearby; sleep 60` });
  await using line = await startCountingServer(desktop.environment.DISPLAY, { delayMs: 60 });
  await using terminal = await startTermprog(desktop, {
    script: `${script}${file}; sleep 60`,
    args: ['-geometry', '+0+400'],
    environment: { DISPLAY: line.display },
  });

  await waitFor('the pictures are equal', async () => {
    const [one, other] = [await terminal.screenshot(), await nearby.screenshot()];
    return countColor(one, GREEN) > 100 && one.data.equals(other.data);
  });
  // The whole output would be forty times as much.
  expect(line.sentBytes()).toBeLessThan(500_000);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'type', 'far away');
  await desktop.run('xdotool', 'key', 'Return');

  await waitFor('the keys arrive', () => contentOf(file) === 'far away\n');
  expect(terminal.process.output()).toBe('');
});
