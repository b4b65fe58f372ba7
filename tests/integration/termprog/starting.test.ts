import { expect, test } from 'vitest';
import { spawnTermprog, startTermprog, startXDesktop } from '../../harness/start-termprog.ts';

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
    'a display name that is none',
    nothing,
    ['-display', 'nonsense'],
    '"nonsense" is no display name; expected [host]:number, such as :0',
  ],
  ['an option that does not exist yet', nothing, ['-welcome'], 'this version does not have -welcome'],
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
  await using desktop = await startXDesktop();
  await using terminal = await startTermprog(desktop, { script: 'sleep 60' });

  desktop.endServer();

  expect((await terminal.process.ended).exitCode).toBe(1);
  expect(terminal.process.output()).toMatch(/^termprog: the X server :\d+ closed the connection\n$/);
});

test('-version and -help need no X server', async () => {
  const version = spawnTermprog(['-ver'], nothing);
  const help = spawnTermprog(['--help'], nothing);

  expect((await version.ended).exitCode).toBe(0);
  expect(version.output()).toMatch(/^termprog \d+\.\d+\.\d+\n$/);
  expect((await help.ended).exitCode).toBe(0);
  expect(help.output()).toContain('-e command args ...');
});

test('an unknown option is named, with the usage, and status 1', async () => {
  const process = spawnTermprog(['-fo'], nothing);

  expect((await process.ended).exitCode).toBe(1);
  expect(process.output()).toMatch(/^termprog: bad command line option "-fo"\n\nusage: {2}termprog \[/);
});
