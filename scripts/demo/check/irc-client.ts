import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A second person on IRC, connected to the server without Homeport. */
export interface IrcClient {
  join(channel: string): void;
  say(channel: string, text: string): void;
  /** Lines received so far, newest last. */
  readonly lines: readonly string[];
  close(): void;
}

/** Lines kept; the check needs a handful. */
const LINES_KEPT = 1_000;

/** Connects and registers; resolves on the server's welcome. */
export async function connectIrc(host: string, port: number, nick: string): Promise<IrcClient> {
  const socket: Socket = createConnection({ host, port });
  const lines: string[] = [];
  const { promise: welcomed, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', reject);
  createInterface({ input: socket }).on('line', (line) => {
    if (line.startsWith('PING')) socket.write(`PONG${line.slice('PING'.length)}\r\n`);
    if (/^:\S+ 001 /.test(line)) resolve();
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  });
  socket.write(`NICK ${nick}\r\nUSER ${nick} 0 * :${nick}\r\n`);
  await welcomed;
  return {
    lines,
    join: (channel) => void socket.write(`JOIN ${channel}\r\n`),
    say: (channel, text) => void socket.write(`PRIVMSG ${channel} :${text}\r\n`),
    close: () => void socket.end('QUIT\r\n'),
  };
}
