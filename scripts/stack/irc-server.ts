import { connect } from 'node:net';
import type { ManagedProcess } from './managed-process.ts';

/** A real IRC server with one plain loopback listener. */
export interface IrcServer {
  host: string;
  port: number;
  process: ManagedProcess;
}

/** Resolves with true if a server listens there. @throws Error with the reason if no server does */
export function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', reject);
  });
}
