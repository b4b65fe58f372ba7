import { expect, test } from 'vitest';
import { chooseShell, shellArgumentZero } from '../../../../src/termprog/pty/login-shell.ts';

const facts = {
  environmentShell: '/bin/zsh' as string | undefined,
  passwordShell: '/bin/fish' as string | undefined,
  shellsFile: '# shells\n/bin/fish\n/bin/bash\n',
  isExecutable: (_path: string): boolean => true,
};

/** @spec termprog#terminal-widget-resources-termvt100 loginShell */
for (const [what, changed, shell] of [
  ['SHELL is an absolute path of an executable file', {}, '/bin/zsh'],
  ['SHELL is relative', { environmentShell: 'zsh' }, '/bin/fish'],
  ['SHELL is unset', { environmentShell: undefined }, '/bin/fish'],
  ['SHELL is not executable', { isExecutable: (path: string) => path !== '/bin/zsh' }, '/bin/fish'],
  ['the shells file does not list the one of the password file', { environmentShell: '', shellsFile: '' }, '/bin/sh'],
  ['a comment lists it', { environmentShell: '', shellsFile: '#/bin/fish' }, '/bin/sh'],
  ['there is no entry in the password file', { environmentShell: '', passwordShell: undefined }, '/bin/sh'],
] as const) {
  test(`where ${what}, the shell is ${shell}`, () => expect(chooseShell({ ...facts, ...changed })).toBe(shell));
}

test('a login shell has a dash before its name', () => {
  expect([shellArgumentZero('/bin/bash', true), shellArgumentZero('/bin/bash', false)]).toEqual(['-bash', 'bash']);
});
