/** What starts a program tells it once, about itself: GLib's launcher, desktops, and systemd for a service. */
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

/** What other terminals say of themselves, where a prefix says too much. Sizes and colours are theirs, too. */
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

/** Editors and multiplexers with a terminal inside them: a new window is not inside. */
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

/** Beginnings of names that one terminal uses for itself. */
const PREFIXES = ['KITTY_', 'ALACRITTY_', 'WEZTERM_', 'GHOSTTY_', 'KONSOLE_', 'ITERM_', 'ITERM2_'];

/** Those of them that its users set, and that it reads. */
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
 * window would take either for theirs. A description of a terminal is dropped, the path of a file of them is the user's.
 */
export function isLeftByOthers(name: string, value: string | undefined): boolean {
  if (name === 'TERMCAP') return value?.startsWith('/') !== true;
  return LEFT.has(name) || (!SETTINGS.has(name) && PREFIXES.some((prefix) => name.startsWith(prefix)));
}
