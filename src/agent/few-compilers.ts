import type { Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';

/**
 * Leaves out V8's last compiler once a server has answered. For a handful of scrapes a minute it takes as much time
 * as it ever saves, and the memory that it takes for its work stays with the process.
 * Neither on the command line nor earlier: V8 takes no code that was compiled under other flags, Node's own included.
 */
export function useFewCompilers(server: Server): void {
  server.once('request', (_request, response) => {
    response.once('close', () => setFlagsFromString('--no-opt'));
  });
}
