import { expect, test } from 'vitest';
import { childEnvironment } from '../../../../src/termprog/pty/child-environment.ts';

const told = { termName: 'xterm-256color', windowId: 77, display: ':1', shell: '/bin/sh', version: '1.2.3' };

test('the child knows its terminal, and nothing of the size of the one this program runs in, nor of its launcher', () => {
  const environment = childEnvironment(
    {
      PATH: '/bin',
      TERM: 'linux',
      COLUMNS: '10',
      LINES: '5',
      COLORTERM: '24bit',
      TERM_PROGRAM: 'other',
      TERM_PROGRAM_VERSION: '9',
      TERMPROG_OPEN_FILES: '1024',
      TERMPROG_IGNORED_SIGNALS: ' SIGHUP',
      UNSET: undefined,
    },
    told,
  );

  expect(environment.toSorted()).toEqual([
    'COLORTERM=truecolor',
    'DISPLAY=:1',
    'PATH=/bin',
    'SHELL=/bin/sh',
    'TERM=xterm-256color',
    'TERM_PROGRAM=termprog',
    'TERM_PROGRAM_VERSION=1.2.3',
    'WINDOWID=77',
  ]);
});

test("the user's own variables reach the child, those for Node and the description of a terminal too", () => {
  const own = {
    NODE_OPTIONS: '--max-old-space-size=100',
    NODE_COMPILE_CACHE: '/home/me/.cache/node',
    TERMCAP: '/home/me/termcap',
    EMPTY: '',
  };
  expect(childEnvironment(own, told)).toEqual(
    expect.arrayContaining(Object.entries(own).map(([name, value]) => `${name}=${value}`)),
  );
});

test('options for Node that the launcher kept from this program are those of the child', () => {
  const environment = childEnvironment({ TERMPROG_NODE_OPTIONS: '--inspect' }, told);
  expect(environment).toContain('NODE_OPTIONS=--inspect');
  expect(environment.filter((variable) => variable.startsWith('TERMPROG_'))).toEqual([]);
});
