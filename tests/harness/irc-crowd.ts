import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Number of clients that connect at the same time: a server's queue of new connections is short. */
const AT_ONCE = 8;

interface Server {
  host: string;
  port: number;
}

/** Joins many idle clients to a channel; they ignore lines from the server. */
export async function joinCrowd(server: Server, nicks: readonly string[], channel: string): Promise<Disposable> {
  const sockets: Socket[] = [];
  const waiting = [...nicks];
  const come = async (): Promise<void> => {
    for (let nick = waiting.pop(); nick !== undefined; nick = waiting.pop()) {
      const socket = connect(server.port, server.host);
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(`NICK ${nick}\r\nUSER ${nick} 0 * :${nick}\r\nJOIN ${channel}\r\n`);
      await once(socket, 'data');
      socket.resume();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, come));
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
