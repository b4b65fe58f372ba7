import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Stands before a bouncer and counts who is between connecting to it and being welcomed by it. */
export interface AttachGate extends AsyncDisposable {
  port: number;
  /** Expects this many clients from now on. */
  expect(clients: number): void;
  /** The most that were attaching at once, and how many have been welcomed, since then. */
  most: number;
  welcomed: number;
}

/** The bouncer's welcome to a client. */
const WELCOME = ' 001 ';

/**
 * Keeps clients waiting until so many wait, or all have come, then lets them in one by one. So a connector that attaches
 * too many at once shows it.
 */
export async function startAttachGate(bouncerPort: number, waitingMax: number): Promise<AttachGate> {
  const sockets = new Set<Socket>();
  const waiting: Socket[] = [];
  let toCome = Number.POSITIVE_INFINITY;
  let attaching = 0;
  let isLetting = false;

  const letNext = (): void => {
    if (isLetting || waiting.length === 0 || (waiting.length < waitingMax && toCome > 0)) return;
    isLetting = true;
    const client = waiting.shift();
    if (client !== undefined) letIn(client);
  };
  const letIn = (client: Socket): void => {
    const bouncer = connect(bouncerPort, '127.0.0.1');
    keep(bouncer, client);
    keep(client, bouncer);
    client.pipe(bouncer);
    const look = (chunk: Buffer): void => {
      if (!chunk.includes(WELCOME)) return;
      bouncer.off('data', look);
      attaching -= 1;
      gate.welcomed += 1;
      isLetting = false;
      letNext();
    };
    bouncer.on('data', look);
    bouncer.pipe(client);
  };
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };

  const server = createServer((client) => {
    attaching += 1;
    toCome -= 1;
    gate.most = Math.max(gate.most, attaching);
    waiting.push(client);
    letNext();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const gate: AttachGate = {
    port: (server.address() as AddressInfo).port,
    most: 0,
    welcomed: 0,
    expect: (clients) => {
      toCome = clients;
      gate.most = 0;
      gate.welcomed = 0;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gate;
}
