/** First descriptor that systemd passes; sd_listen_fds(3). */
const FIRST_DESCRIPTOR = 3;

/**
 * Most sockets that are accepted; no unit of ours has more. A wrong number must not make us listen on other
 * descriptors.
 */
const DESCRIPTORS_MAX = 16;

/**
 * Descriptors of listening sockets that systemd passed to this process, in the order of the socket unit.
 * Variables for another process are ignored. Commands do not get the sockets: at its start Node marks
 * all descriptors it inherits as ones to close in other programs. @see sd_listen_fds(3)
 */
export function inheritedSockets({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv): number[] {
  const count = Number(LISTEN_FDS);
  if (Number(LISTEN_PID) !== process.pid || !Number.isInteger(count) || count < 1 || count > DESCRIPTORS_MAX) return [];
  return Array.from({ length: count }, (_, index) => FIRST_DESCRIPTOR + index);
}
