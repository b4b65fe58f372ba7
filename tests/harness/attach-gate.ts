import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Stands before a bouncer and counts the clients that have connected to it and are not yet welcomed by it. */
export interface AttachGate extends AsyncDisposable {
  port: number;
  /** Keeps and counts clients anew from now on. */
  begin(): void;
  /** The most that were attaching at once, and how many have been welcomed, since then. */
  most: number;
  welcomed: number;
}

interface WaitingClient {
  socket: Socket;
  /** Chunks that it has sent. */
  said: readonly Buffer[];
  hear: (chunk: Buffer) => void;
}

/** The bouncer's welcome to a client. */
const WELCOME = ' 001 ';

/** One client may come in place of another whose end is seen a moment later; the bouncer takes longer for a welcome. */
const COUNT_AFTER_MS = 20;

/**
 * Keeps clients waiting until `waitingMax` of them wait, then lets them in one by one. So `most` shows whether a
 * connector attaches too many at once.
 */
export async function startAttachGate(bouncerPort: number, waitingMax: number): Promise<AttachGate> {
  const sockets = new Set<Socket>();
  const waiting: WaitingClient[] = [];
  let isOpen = false;
  /** The client that is being let in. */
  let entering: Socket | undefined;

  const letNext = (): void => {
    isOpen ||= waiting.length >= waitingMax;
    if (entering !== undefined || !isOpen) return;
    const client = waiting.shift();
    if (client !== undefined) letIn(client);
  };
  const letIn = ({ socket, said, hear }: WaitingClient): void => {
    entering = socket;
    const bouncer = connect(bouncerPort, '127.0.0.1');
    keep(bouncer, () => socket.destroy());
    socket.once('close', () => bouncer.destroy());
    socket.off('data', hear);
    for (const chunk of said) bouncer.write(chunk);
    socket.pipe(bouncer);
    const look = (chunk: Buffer): void => {
      if (!chunk.includes(WELCOME)) return;
      bouncer.off('data', look);
      gate.welcomed += 1;
      entering = undefined;
      letNext();
    };
    bouncer.on('data', look);
    bouncer.pipe(socket);
  };
  const keep = (socket: Socket, onClose: () => void): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      onClose();
    });
  };
  /** Removes a client that gives up before it is welcomed. */
  const leave = (socket: Socket): void => {
    const place = waiting.findIndex((client) => client.socket === socket);
    if (place < 0 && entering !== socket) return;
    if (place < 0) entering = undefined;
    else waiting.splice(place, 1);
    letNext();
  };

  const count = (): void => {
    gate.most = Math.max(gate.most, waiting.length + (entering === undefined ? 0 : 1));
  };

  const server = createServer((socket) => {
    const said: Buffer[] = [];
    const hear = (chunk: Buffer): void => {
      said.push(chunk);
    };
    // Only a client that is listened to is known to have given up.
    socket.on('data', hear);
    keep(socket, () => leave(socket));
    socket.once('end', () => leave(socket));
    waiting.push({ socket, said, hear });
    setTimeout(count, COUNT_AFTER_MS);
    letNext();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const gate: AttachGate = {
    port: (server.address() as AddressInfo).port,
    most: 0,
    welcomed: 0,
    begin: () => {
      isOpen = false;
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
