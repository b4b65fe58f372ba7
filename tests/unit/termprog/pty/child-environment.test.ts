import { expect, test } from 'vitest';
import { childEnvironment } from '../../../../src/termprog/pty/child-environment.ts';

const told = { termName: 'xterm-256color', windowId: 77, display: ':1', shell: '/bin/sh', version: '1.2.3' };

test('the child knows its terminal, but not the size of the one this program runs in, nor its launcher', () => {
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

test('the child does not learn how the terminal was started, nor in which terminal', () => {
  const left = {
    DESKTOP_STARTUP_ID: 'host-1_TIME5',
    XDG_ACTIVATION_TOKEN: 'token',
    GIO_LAUNCHED_DESKTOP_FILE: '/usr/share/applications/x.desktop',
    NOTIFY_SOCKET: '/run/notify',
    VTE_VERSION: '7600',
    KITTY_WINDOW_ID: '1',
    KITTY_A_NEW_ONE: '1',
    WT_SESSION: 'c0ffee',
    KONSOLE_DBUS_SESSION: '/Sessions/1',
    ALACRITTY_SOCKET: '/run/alacritty',
    WEZTERM_PANE: '0',
    GHOSTTY_RESOURCES_DIR: '/usr/share/ghostty',
    ITERM_PROFILE: 'Default',
    TERM_SESSION_ID: 'w0t0p0',
    XTERM_VERSION: 'XTerm(379)',
    COLORFGBG: '15;0',
    TMUX: '/tmp/tmux-1000/default,1,0',
    TMUX_PANE: '%0',
    STY: '1.pts-0',
    INSIDE_EMACS: '29.1,comint',
    TERMCAP: 'xterm:co#80:li#24:',
  };
  const names = childEnvironment(left, told).map((variable) => variable.slice(0, variable.indexOf('=')));
  expect(names.filter((name) => name in left)).toEqual([]);
});

test('variables that users set for other terminals stay, and names that only resemble them', () => {
  const own = {
    KITTY_CONFIG_DIRECTORY: '/home/me/kitty',
    WEZTERM_CONFIG_FILE: '/home/me/wezterm.lua',
    TMUX_TMPDIR: '/tmp',
    TERMINFO: '/home/me/.terminfo',
    MY_KITTY_THEME: 'x',
    LINES_OF_TEXT: 'two',
    XDG_RUNTIME_DIR: '/run/user/1',
  };
  expect(childEnvironment(own, told)).toEqual(
    expect.arrayContaining(Object.entries(own).map(([name, value]) => `${name}=${value}`)),
  );
});
