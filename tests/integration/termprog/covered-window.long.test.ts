import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startCountingServer } from '../../harness/counting-x-server.ts';
import { startCompositor } from '../../harness/start-compositor.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';
import { startWatchedDesktop, type WatchedDesktop } from '../../harness/watched-desktop.ts';
import { startWrittenTerminal, type WrittenTerminal } from '../../harness/written-terminal.ts';

/** The left half of the screen, where the windows are that get covered. */
const LEFT_HALF = { x: 0, y: 0, width: 640, height: 1024 };

let desktop: WatchedDesktop;

beforeAll(async () => {
  desktop = await startWatchedDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** Waits until the server has done all earlier requests. */
const done = (): Promise<unknown> =>
  desktop.connection.x.ask<unknown>('all to be done', (client, reply) => client.GetInputFocus(reply));

for (const [where, hide] of [
  ['wholly below another window', () => cover()],
  [
    'wholly beyond the edge of the screen',
    async (window) => {
      desktop.connection.x.client.ConfigureWindow(window, { x: -1_000 });
      return async () => desktop.connection.x.client.ConfigureWindow(window, { x: 0 });
    },
  ],
  [
    'unmapped',
    async (window) => {
      desktop.connection.x.client.UnmapWindow(window);
      return async () => desktop.connection.x.client.MapWindow(window);
    },
  ],
] as const satisfies readonly (readonly [string, (window: number) => Promise<() => Promise<unknown>>])[]) {
  test(`a window that is ${where} sends nothing while text blinks and output comes, until it is back`, async () => {
    await using terminal = await startBusy();
    await waitFor('it shows what comes', async () => (await terminal.sentDuring(3)) > 0);

    const show = await hide(terminal.window);
    await waitFor('it falls silent', async () => (await terminal.sentDuring(5)) === 0);
    expect(await terminal.sentDuring(60)).toBe(0);
    await show();
    await done();

    await waitFor('it shows what comes again', async () => (await terminal.sentDuring(3)) > 0);
  });
}

test('a window of which one row of pixels is seen goes on', async () => {
  await using terminal = await startBusy();
  const uncover = await cover({ ...LEFT_HALF, y: 1 });
  await terminal.sentDuring(5);

  expect(await terminal.sentDuring(20)).toBeGreaterThan(0);
  await uncover();
});

test('a covered window goes on when a compositor comes, under which each window has its whole picture', async () => {
  await using terminal = await startBusy();
  const uncover = await cover();
  await waitFor('it falls silent', async () => (await terminal.sentDuring(5)) === 0);

  await using _compositor = await startCompositor(desktop);

  await waitFor('it shows what comes', async () => (await terminal.sentDuring(3)) > 0);
  await uncover();
});

/** Text in colours, a full screen of it, and a line that scrolls out. */
const PAGE = `\x1b[H\x1b[2J${Array.from({ length: 12 }, (_, row) => `\x1b[3${row % 8}mrow ${row} 漢字 ─┼`).join('\r\n')}\x1b[m`;

type Change = (terminal: WrittenTerminal) => Promise<void>;
const writes =
  (output: string): Change =>
  ({ write }) =>
    write(output);

for (const [what, change] of Object.entries<Change>({
  'nothing has changed': async () => {},
  'text was written and scrolled': writes(`${PAGE}\r\nlast\x1bM\x1b[2;6r\x1b[3S\x1b[r`),
  'another screen was chosen': writes('\x1b[?1049h\x1b[Hother'),
  'colours have changed': writes('\x1b]4;1;#123456\x07\x1b]11;rgb:20/40/60\x07'),
  'the screen was reversed': writes('\x1b[?5h'),
  'the application has begun a change without an end': writes('\x1b[?2026h\x1b[3;1Hhalf'),
  'the window got another size': async ({ terminal }) => {
    desktop.connection.x.client.ConfigureWindow(terminal.window, { width: 300, height: 200 });
    await done();
  },
  'the font has changed': async ({ terminal }) => {
    const before = await desktop.run('xwininfo', '-id', `${terminal.window}`);
    await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
    await desktop.run('xdotool', 'key', 'shift+KP_Add');
    await waitFor('it has the size for it', async () => {
      const now = await desktop.run('xwininfo', '-id', `${terminal.window}`);
      return /Width: .*/.exec(now)?.[0] !== /Width: .*/.exec(before)?.[0];
    });
  },
})) {
  test(`when ${what} while a window was covered, it shows in the end what one does that was seen all the time`, async () => {
    const look = ['-ah', '-geometry'];
    await using seen = await startWrittenTerminal(desktop, { args: [...look, '30x8+640+0'] });
    await using hidden = await startWrittenTerminal(desktop, { args: [...look, '30x8+0+0'] });
    const haveSamePicture = async (): Promise<boolean> => {
      const [one, other] = await Promise.all([hidden.terminal.screenshot(), seen.terminal.screenshot()]);
      return one.width === other.width && one.data.equals(other.data);
    };
    for (const terminal of [seen, hidden]) await terminal.write(PAGE);
    await waitFor('both show the page', haveSamePicture);

    const uncover = await cover();
    for (const terminal of [seen, hidden]) await change(terminal);
    // Its question and its answer take longer than all that is under way in the terminal.
    for (const terminal of [seen, hidden]) await terminal.write('');
    await uncover();
    await waitFor('both show the same', haveSamePicture);

    expect(hidden.terminal.process.output()).toBe('');
  });
}

/** Puts a window above everything in a part of the screen; what it gives takes it away. */
async function cover({ x, y, width, height } = LEFT_HALF): Promise<() => Promise<unknown>> {
  const { client, screen } = desktop.connection.x;
  const id = client.AllocID();
  client.CreateWindow(id, screen.root, x, y, width, height, 0, 0, 0, 0, {
    backgroundPixel: 0xff00ff,
    overrideRedirect: 1,
  });
  client.MapWindow(id);
  await done();
  return () => {
    client.DestroyWindow(id);
    return done();
  };
}

/** A terminal whose text and cursor blink fast, and which writes all the time. */
async function startBusy() {
  const file = desktop.newFile();
  const proxy = await startCountingServer(desktop.environment.DISPLAY);
  const script = `n=0; while :; do n=$((n+1)); printf '\\033[5mx\\033[m'; echo $n > ${file}; sleep 0.02; done`;
  const terminal = await startTermprog(desktop, {
    args: ['-geometry', '20x2+0+0', '-ah', '-bc', '-bcn', '60', '-bcf', '60'],
    script,
    environment: { DISPLAY: proxy.display },
  });
  const written = (): number => Number(contentOf(file));
  return {
    window: terminal.window,
    /** Returns the bytes that it sends to the server while its child writes this many times. */
    sentDuring: async (writes: number): Promise<number> => {
      const [from, before] = [written(), proxy.sentBytes()];
      await waitFor('the child has written', () => written() >= from + writes, { process: terminal.process });
      return proxy.sentBytes() - before;
    },
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}
