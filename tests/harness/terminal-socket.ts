import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { withinIdle } from '../../scripts/stack/idle-deadline.ts';

/**
 * Longest time in which an answering terminal may be silent and idle, in milliseconds: a whole answer, such as that to
 * a thousand keys, may take longer.
 */
const SILENCE_MAX_MS = 30_000;

const RELAY = join(import.meta.dirname, 'terminal-relay.mjs');

let serial = 0;

/** A program for a terminal to run, which a test speaks through. */
export interface TerminalSocket extends AsyncDisposable {
  /** Program and arguments, which belong behind `-e`. */
  readonly command: readonly [string, ...string[]];
  /** Sends output to the terminal, and returns the terminal's answer, one character a byte, once it is all there. */
  ask(output: string, isWhole: (answer: string) => boolean): Promise<string>;
}

/** Returns the program as a line of a shell script. */
export const scriptOf = ({ command }: TerminalSocket): string =>
  command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

export async function openTerminalSocket(folder: string, { silenceMs = SILENCE_MAX_MS } = {}): Promise<TerminalSocket> {
  serial += 1;
  const path = join(folder, `terminal-${serial}.sock`);
  const server = createServer();
  const connection = once(server, 'connection') as Promise<[Socket]>;
  server.listen(path);
  await once(server, 'listening');
  let received = '';
  let wake = (): void => {};
  const connected = connection.then(([socket]) => {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
      wake();
    });
    return socket;
  });
  return {
    command: ['sh', '-c', 'stty raw -echo && exec "$@"', 'sh', process.execPath, RELAY, path],
    ask: async (output, isWhole) => {
      const socket = await connected;
      received = '';
      socket.write(Buffer.from(output, 'utf8'));
      while (!isWhole(received)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await withinIdle(promise, silenceMs, () => `the terminal answered only ${JSON.stringify(received)}`);
      }
      return received;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      (await Promise.race([connected, Promise.resolve(undefined)]))?.destroy();
    },
  };
}
