import { expect, test } from 'vitest';
import { childEnvironment } from '../../../../src/termprog/pty/child-environment.ts';

test('the child knows its terminal, and nothing of the one this program runs in or of its runtime', () => {
  const environment = childEnvironment(
    { PATH: '/bin', TERM: 'linux', COLUMNS: '10', TERMCAP: 'x', NODE_OPTIONS: '--inspect', UNSET: undefined },
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
