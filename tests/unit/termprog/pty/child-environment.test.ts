import { expect, test } from 'vitest';
import { childEnvironment } from '../../../../src/termprog/pty/child-environment.ts';

test('the child knows its terminal, and nothing of the one this program runs in or of its launcher', () => {
  const environment = childEnvironment(
    {
      PATH: '/bin',
      TERM: 'linux',
      COLUMNS: '10',
      LINES: '5',
      TERMCAP: 'x',
      TERMPROG_OPEN_FILES: '1024',
      TERMPROG_IGNORED_SIGNALS: ' SIGHUP',
      UNSET: undefined,
    },
    { termName: 'xterm-256color', windowId: 77, display: ':1', shell: '/bin/sh' },
  );

  expect(environment.toSorted()).toEqual([
    'DISPLAY=:1',
    'PATH=/bin',
    'SHELL=/bin/sh',
    'TERM=xterm-256color',
    'WINDOWID=77',
  ]);
});

test("the user's own variables for Node reach the child", () => {
  const told = { NODE_OPTIONS: '--max-old-space-size=100', NODE_COMPILE_CACHE: '/home/me/.cache/node' };
  expect(childEnvironment(told, { termName: 'x', windowId: 1, display: ':1', shell: '/bin/sh' })).toEqual(
    expect.arrayContaining(['NODE_OPTIONS=--max-old-space-size=100', 'NODE_COMPILE_CACHE=/home/me/.cache/node']),
  );
});
