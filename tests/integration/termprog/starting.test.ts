import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { startXProxy } from '../../../bench/termprog/x-proxy.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { spawnTermprog, startTermprog, startXDesktop } from '../../harness/start-termprog.ts';
import {
  badAtom,
  startAlteringServer,
  startCuttingServer,
  startSilentServer,
} from '../../harness/unwilling-x-server.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

/** Most times the terminal waits for the server before its window is shown. */
const ROUND_TRIPS_MAX = 6;

/**
 * Number of messages after which a start is cut: the window is shown at about the 30th, and glyphs of other fonts
 * follow.
 */
const MESSAGES_BEFORE_THE_END = [0, 1, 2, 3, 5, 8, 13, 18, 23, 28, 30, 33];

/** The error "Bad window" in place of the event that the window is shown, about the request to show it. */
const notShown = (event: Buffer): Buffer =>
  Buffer.concat([
    Buffer.of(0, 3),
    event.subarray(2, 4),
    event.subarray(8, 12),
    Buffer.of(0, 0, 8, 0),
    Buffer.alloc(20),
  ]);

/** Number of the event MapNotify. */
const MAP_NOTIFY = 19;

/** Longest wait in milliseconds: less than a request to a silent server may take. */
const PROMPT_MS = 5_000;

const nothing = { DISPLAY: undefined, XAUTHORITY: undefined };

for (const [why, environment, args, line] of [
  ['no DISPLAY', nothing, [], 'no X server is named: set DISPLAY or use -display, such as -display :0'],
  [
    'a display nobody serves',
    nothing,
    ['-display', ':7654'],
    'can\'t open the display ":7654": no X server answers there',
  ],
  [
    'a display over the network that no port is left for',
    nothing,
    ['-display', 'localhost:60000'],
    'can\'t open the display "localhost:60000": over the network displays have numbers up to 59535',
  ],
  [
    'a local display that no port is left for',
    nothing,
    ['-display', ':99999'],
    'can\'t open the display ":99999": no X server answers there',
  ],
  [
    'a display name that is none',
    nothing,
    ['-display', 'nonsense'],
    '"nonsense" is not a display name; expected [host]:number, such as :0',
  ],
] as const) {
  test(`${why} is one line and status 1`, async () => {
    const process = spawnTermprog(args, environment);

    expect((await process.ended).exitCode).toBe(1);
    expect(process.output()).toBe(`termprog: ${line}\n`);
  });
}

test('a refused connection is one line and status 1', async () => {
  await using desktop = await startXDesktop();

  const process = spawnTermprog([], { ...desktop.environment, XAUTHORITY: '/nonexistent' });

  expect((await process.ended).exitCode).toBe(1);
  expect(process.output()).toMatch(/^termprog: can't open the display ":\d+": the server says: .+\n$/);
});

test('the end of the X server ends the program with one line', async () => {
  verifies('termprog.state.running-or-held-the-X-server-goes-away');
  await using desktop = await startXDesktop();
  await using terminal = await startTermprog(desktop, { script: 'sleep 60' });

  desktop.endServer();

  expect((await terminal.process.ended).exitCode).toBe(1);
  expect(terminal.process.output()).toMatch(/^termprog: the X server :\d+ closed the connection\n$/);
});

test('-version and -help need no X server', async () => {
  verifies('termprog.option.version', 'termprog.option.help');
  const version = spawnTermprog(['-ver'], nothing);
  const help = spawnTermprog(['--help'], nothing);

  expect((await version.ended).exitCode).toBe(0);
  expect(version.output()).toMatch(/^termprog \d+\.\d+\.\d+\n$/);
  expect((await help.ended).exitCode).toBe(0);
  expect(help.output()).toContain('-e command args ...');
});

test('an unknown option is named, with the usage, and status 1', async () => {
  const process = spawnTermprog(['-zz'], nothing);

  expect((await process.ended).exitCode).toBe(1);
  expect(process.output()).toMatch(/^termprog: bad command line option "-zz"\n\nusage: {2}termprog \[/);
});

test('a bad option is quoted in one line without control characters', async () => {
  const process = spawnTermprog(['-a\nb\u001b[31m'], nothing);

  expect((await process.ended).exitCode).toBe(1);
  expect(process.output()).toMatch(/^termprog: bad command line option "-a\?b\?\[31m"\n\nusage: /);
});

test('an empty name of a display counts as none', async () => {
  await using desktop = await startXDesktop();

  const process = spawnTermprog(['-display', '', '-e', 'true'], desktop.environment);

  expect({ ...(await process.ended), output: process.output() }).toMatchObject({ exitCode: 0, output: '' });
});

test('a server on this machine may be named unix', async () => {
  await using desktop = await startXDesktop();
  const { DISPLAY } = desktop.environment;
  const file = join(desktop.folder, 'display');

  for (const name of [`unix${DISPLAY}`, `unix${DISPLAY}.0`, `local/${DISPLAY}`]) {
    const process = spawnTermprog(['-e', 'sh', '-c', `echo "$DISPLAY" > ${file}`], {
      ...desktop.environment,
      DISPLAY: name,
    });

    expect({ ...(await process.ended), output: process.output() }).toMatchObject({ exitCode: 0, output: '' });
    expect(readFileSync(file, 'utf8')).toBe(`${name}\n`);
  }
});

test('the window is shown after a handful of round trips, also where the screen has resources of its own', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('xrdb', '-screen', '-load', '/dev/null');
  await using proxy = await startXProxy(desktop.environment.DISPLAY);
  await using terminal = await startTermprog(desktop, {
    script: 'sleep 60',
    environment: { DISPLAY: proxy.display },
  });

  // A window has its title before it is shown.
  const roundTrips = await waitFor('the window is shown', () => proxy.traffic().roundTripsBeforeMap);
  expect(terminal.process.output()).toBe('');
  expect(roundTrips).toBeGreaterThan(0);
  expect(roundTrips).toBeLessThanOrEqual(ROUND_TRIPS_MAX);
});

test('the child starts with the exact size of its text in pixels', async () => {
  await using desktop = await startXDesktop();
  const file = join(desktop.folder, 'size');
  const script = `import fcntl, struct, termios
rows, columns, width, height = struct.unpack('HHHH', fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8)))
open('${file}', 'w').write(f'{columns}x{rows} {width}x{height}')`;

  const process = spawnTermprog(['-geometry', '70x20', '-e', 'python3', '-c', script], desktop.environment);

  expect((await process.ended).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('70x20 420x260');
});

test('a font that does not exist is reported once, and "fixed" is used', async () => {
  await using desktop = await startXDesktop();
  await using terminal = await startTermprog(desktop, { args: ['-fn', 'no-such-font'], script: 'sleep 60' });

  const { width, height } = await terminal.screenshot();

  expect({ width, height }).toEqual({ width: 80 * 6 + 4, height: 24 * 13 + 4 });
  expect(terminal.process.output()).toBe(
    'termprog: warning: resource vt100.font: the X server has no font "no-such-font"; "fixed" is used\n',
  );
});

test('the terminal starts with names of any length', async () => {
  await using desktop = await startXDesktop();
  const long = (letter: string): string => letter.repeat(131_000);
  const args = ['-name', long('n'), '-class', long('c'), '-fn', long('f'), '-fb', long('b'), '-fg', long('g')];

  const process = spawnTermprog([...args, '-T', long('t'), '-e', 'true'], desktop.environment);

  expect(await process.ended).toMatchObject({ exitCode: 0, signal: undefined });
  expect(process.output()).not.toMatch(/^ +at /m);
  expect(process.output()).toContain(
    `the X server has no font "${'f'.repeat(40)}…" of 131000 characters; "fixed" is used\n`,
  );
});

for (const [answer, what] of [
  [1, 'a property'],
  [2, 'the atom SCREEN_RESOURCES'],
] as const) {
  test(`an error in place of ${what} is one line and status 1`, async () => {
    await using desktop = await startXDesktop();
    await using server = await startAlteringServer(desktop.environment.DISPLAY, (message, place) =>
      place === answer ? badAtom(message) : message,
    );

    const process = spawnTermprog(['-e', 'sleep', '60'], { ...desktop.environment, DISPLAY: server.display });

    expect((await process.ended).exitCode).toBe(1);
    expect(process.output()).toMatch(
      new RegExp(`^termprog: the X server :\\d+ can't be asked for ${what}: Bad atom \\(request .+\\)\n$`),
    );
  });
}

test('a window that the X server refuses is one line and status 1, and nothing runs on unseen', async () => {
  await using desktop = await startXDesktop();
  await using server = await startAlteringServer(desktop.environment.DISPLAY, (message) =>
    message[0] === MAP_NOTIFY ? notShown(message) : message,
  );

  const process = spawnTermprog(['-e', 'sleep', '60'], { ...desktop.environment, DISPLAY: server.display });

  expect((await process.ended).exitCode).toBe(1);
  expect(process.output()).toMatch(/^termprog: the X server :\d+ shows no window: Bad window \(request 8, .+\)\n$/);
});

for (const messages of [0, 1, 2]) {
  test(`-report-config needs no X server, also one that goes away after ${messages} messages`, async () => {
    await using desktop = await startXDesktop();
    await using server = await startCuttingServer(desktop.environment.DISPLAY, messages);

    const process = spawnTermprog(['-report-config'], { ...desktop.environment, DISPLAY: server.display });

    expect((await process.ended).exitCode).toBe(0);
    expect(process.output()).toMatch(/^! without the resources that an X server keeps: /);
    expect(process.output()).toContain('\nterm.vt100.saveLines: 1024\n');
  });
}

for (const messages of MESSAGES_BEFORE_THE_END) {
  test(`the end of the X server after ${messages} messages is one line and status 1`, async () => {
    await using desktop = await startXDesktop();
    await using server = await startCuttingServer(desktop.environment.DISPLAY, messages);

    // Other scripts ask for more fonts, and so for more answers.
    const process = spawnTermprog(['-e', 'sh', '-c', "printf 'Ж漢'; sleep 60"], {
      ...desktop.environment,
      DISPLAY: server.display,
    });

    expect((await process.ended).exitCode).toBe(1);
    expect(process.output()).toMatch(
      /^termprog: (the X server :\d+ closed the connection|can't open the display ":\d+": .* closed .*)\n$/,
    );
  });
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} ends a start that waits for a silent server, at once and cleanly`, async () => {
    await using server = await startSilentServer();
    const process = spawnTermprog([], { ...nothing, DISPLAY: server.display });
    await waitFor('the terminal connects', () => server.clientCount() > 0, { process });
    using waited = watchIdle();

    process.kill(signal);

    expect(await process.ended).toMatchObject({ exitCode: 0, signal: undefined });
    expect(waited.read()).toBeLessThan(PROMPT_MS);
    expect(process.output()).toBe('');
  });
}

test('a program that was started to ignore SIGHUP ends only by the other signals', async () => {
  await using server = await startSilentServer();
  const process = startProcess({
    name: 'termprog',
    command: ['sh', '-c', "trap '' HUP; exec bin/termprog"],
    env: { ...nothing, DISPLAY: server.display },
  });
  await waitFor('the terminal connects', () => server.clientCount() > 0, { process });

  process.kill('SIGHUP');
  expect(await Promise.race([process.ended, delay(500, 'still there')])).toBe('still there');
  process.kill('SIGTERM');

  expect(await process.ended).toMatchObject({ exitCode: 0, signal: undefined });
});

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
  test(`the terminal starts where ${signal} is blocked`, async () => {
    await using desktop = await startXDesktop();
    const start = `import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.${signal}])
os.execv('bin/termprog', ['bin/termprog', '-e', 'true'])`;

    const { exitCode, stderr } = await execa('python3', ['-c', start], {
      env: { ...desktop.environment, HOME: '/nonexistent', XFILESEARCHPATH: '/nonexistent' },
      reject: false,
    });

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
}

test('SIGUSR1 opens no debugger to other users of the machine', async () => {
  await using desktop = await startXDesktop();

  // The answer comes from a turn after the signal.
  const script = "stty raw -echo; kill -USR1 $PPID; printf '\\033[5n'; dd bs=1 count=4 2>/dev/null; sleep 0.2";
  const process = spawnTermprog(['-e', 'sh', '-c', script], desktop.environment);

  expect(await process.ended).toMatchObject({ exitCode: 0, signal: undefined });
  expect(process.output()).toBe('');
});
