/** Variables that a starter sets once for a program: GLib's launcher, desktops, and systemd for a service. */
const OF_THE_LAUNCH = [
  'DESKTOP_STARTUP_ID',
  'XDG_ACTIVATION_TOKEN',
  'GIO_LAUNCHED_DESKTOP_FILE',
  'GIO_LAUNCHED_DESKTOP_FILE_PID',
  'NOTIFY_SOCKET',
  'LISTEN_FDS',
  'LISTEN_FDNAMES',
  'LISTEN_PID',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
  'SYSTEMD_EXEC_PID',
];

/**
 * Variables in which other terminals describe themselves, if a prefix would match too much; their sizes and colours,
 * too.
 */
const OF_TERMINALS = [
  'COLUMNS',
  'LINES',
  'COLORFGBG',
  'VTE_VERSION',
  'GNOME_TERMINAL_SCREEN',
  'GNOME_TERMINAL_SERVICE',
  'PTYXIS_VERSION',
  'PTYXIS_PROFILE',
  'TERMINATOR_UUID',
  'TERMINATOR_DBUS_NAME',
  'TERMINATOR_DBUS_PATH',
  'TILIX_ID',
  'GUAKE_TAB_UUID',
  'XTERM_VERSION',
  'XTERM_LOCALE',
  'XTERM_SHELL',
  'WT_SESSION',
  'WT_PROFILE_ID',
  'MLTERM',
  'SHELL_SESSION_ID',
  'TERM_SESSION_ID',
  'TERM_FEATURES',
  'LC_TERMINAL',
  'LC_TERMINAL_VERSION',
  'TERMINAL_EMULATOR',
  'TERMINAL_NAME',
  'TERMINAL_VERSION_STRING',
  'TERMINAL_VERSION_TRIPLE',
];

/** Variables of editors and multiplexers with a terminal inside them: a new window is not inside. */
const OF_SURROUNDINGS = [
  'TMUX',
  'TMUX_PANE',
  'STY',
  'ZELLIJ',
  'ZELLIJ_PANE_ID',
  'ZELLIJ_SESSION_NAME',
  'INSIDE_EMACS',
  'VIM_TERMINAL',
  'NVIM',
];

const LEFT: ReadonlySet<string> = new Set([...OF_THE_LAUNCH, ...OF_TERMINALS, ...OF_SURROUNDINGS]);

/** Prefixes of names that one terminal uses for itself. */
const PREFIXES = ['KITTY_', 'ALACRITTY_', 'WEZTERM_', 'GHOSTTY_', 'KONSOLE_', 'ITERM_', 'ITERM2_'];

/** Names with such a prefix that users set, and that the terminal reads. */
const SETTINGS: ReadonlySet<string> = new Set([
  'KITTY_CONFIG_DIRECTORY',
  'KITTY_CACHE_DIRECTORY',
  'KITTY_RUNTIME_DIRECTORY',
  'KITTY_DEVELOP_FROM',
  'WEZTERM_CONFIG_FILE',
  'WEZTERM_CONFIG_DIR',
  'WEZTERM_LOG',
]);

/**
 * Whether a variable describes how this program was started, or the terminal it was started in: programs in the new
 * window would apply it to themselves. A description of a terminal is dropped; the path of a file with descriptions
 * belongs to the user.
 */
export function isLeftByOthers(name: string, value: string | undefined): boolean {
  if (name === 'TERMCAP') return value?.startsWith('/') !== true;
  return LEFT.has(name) || (!SETTINGS.has(name) && PREFIXES.some((prefix) => name.startsWith(prefix)));
}
