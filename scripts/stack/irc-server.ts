import { connect } from 'node:net';
import type { ManagedProcess } from './managed-process.ts';

/** A real IRC server with one plain loopback listener. */
export interface IrcServer {
  host: string;
  port: number;
  process: ManagedProcess;
}

/** True when something listens there. @throws Error with the reason when nothing does */
export function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', reject);
  });
}
