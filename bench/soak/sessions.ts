import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Far more than what a bouncer says before its welcome. */
const WELCOME_WITHIN_CHARACTERS = 64 * 1024;

/** A session of an account with the bouncer, from its welcome to its end. */
export interface SeenSession {
  account: string;
  from: number;
  /** Infinite while it stands. */
  to: number;
}

/** The way from the connectors to the bouncer. */
export interface SessionWatch extends AsyncDisposable {
  port: number;
  /** All sessions that there were, in the order of their welcomes. */
  sessions: readonly SeenSession[];
  /** Ends every connection by a TCP reset. */
  reset(): void;
}

/** Passes connections on to the bouncer, and writes down which account had a session when. */
export async function watchSessions(bouncerPort: number): Promise<SessionWatch> {
  const sockets = new Set<Socket>();
  const sessions: SeenSession[] = [];
  const server = createServer((client) => {
    const upstream = connect(bouncerPort, '127.0.0.1');
    let session: SeenSession | undefined;
    let said = '';
    const look = (chunk: Buffer): void => {
      said += chunk.toString('latin1');
      const account = welcomedIn(said);
      if (account !== undefined) {
        session = { account, from: Date.now(), to: Number.POSITIVE_INFINITY };
        sessions.push(session);
      }
      if (account !== undefined || said.length > WELCOME_WITHIN_CHARACTERS) upstream.off('data', look);
    };
    upstream.on('data', look);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
        if (session !== undefined) session.to = Math.min(session.to, Date.now());
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    ...{ port: (server.address() as AddressInfo).port, sessions, reset },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The nick that the bouncer welcomes, which is the account's name. */
const welcomedIn = (said: string): string | undefined => /(?:^|\n)(?:@\S+ )?:\S+ 001 (\S+) .*\r\n/.exec(said)?.[1];

/** A time in which an account had no session. */
export interface SessionGap {
  account: string;
  from: number;
  to: number;
}

/** Times without any session of each account between its first one and the given time. */
export function gapsOf(sessions: readonly SeenSession[], until: number): SessionGap[] {
  const lastEnd = new Map<string, number>();
  const gaps: SessionGap[] = [];
  for (const { account, from, to } of sessions.toSorted((a, b) => a.from - b.from)) {
    const end = lastEnd.get(account) ?? from;
    if (from > end) gaps.push({ account, from: end, to: from });
    lastEnd.set(account, Math.max(end, to));
  }
  for (const [account, end] of lastEnd) if (end < until) gaps.push({ account, from: end, to: until });
  return gaps;
}
