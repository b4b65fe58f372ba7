/**
 * with-inherited-sockets.ts PORT[,PORT...] COMMAND [ARGUMENT...]
 * Listens at each port of 127.0.0.1 and becomes COMMAND, which gets the sockets as systemd passes them; sd_listen_fds(3).
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import koffi from 'koffi';

/** First of the descriptors that systemd passes. */
const FIRST_DESCRIPTOR = 3;

const [ports = '', command = '', ...args] = process.argv.slice(2);
// Copies made by dup2 stay open in the command, unlike all descriptors of Node.
const dup2 = koffi.load('libc.so.6').func('int dup2(int from, int to)');

const descriptors: number[] = [];
for (const port of ports.split(',')) {
  const server = createServer().listen(Number(port), '127.0.0.1');
  await once(server, 'listening');
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  descriptors.push(fd);
}
// Node owns the first ones, and no longer needs them.
for (const [index, descriptor] of descriptors.entries()) dup2(descriptor, FIRST_DESCRIPTOR + index);
process.execve?.(command, [command, ...args], {
  ...process.env,
  LISTEN_PID: String(process.pid),
  LISTEN_FDS: String(descriptors.length),
});
