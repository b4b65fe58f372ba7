import { createConnection } from 'node:net';

/**
 * Deadline of a reply, in milliseconds: even a slow machine replies at once; one that is still starting does not reply.
 */
const REPLY_DEADLINE_MS = 20_000;

/**
 * Begins each request, so that the guest forgets half a command of an earlier connection. @see QEMU guest agent,
 * guest-sync-delimited
 */
const DELIMITER = '\u00ff';

/**
 * Gives one command to the QEMU guest agent, which runs in a virtual machine, and resolves to what it returns.
 * @param socket Unix socket of the machine's serial port
 * @throws Error when the machine refuses the command or gives no reply
 */
export async function askGuest<T>(socket: string, execute: string, commandArguments: object = {}): Promise<T> {
  const connection = createConnection(socket);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(
    () => reject(new Error(`${execute}: no reply within ${REPLY_DEADLINE_MS} ms`)),
    REPLY_DEADLINE_MS,
  );
  const id = Math.trunc(performance.now() * 1000);
  let isInStep = false;
  const take = (line: string): void => {
    const reply = JSON.parse(line.replaceAll(DELIMITER, '')) as { return: unknown; error?: { desc: string } };
    if (!isInStep) {
      // Replies to earlier connections may still be on their way.
      isInStep = reply.return === id;
      if (isInStep) connection.write(`${JSON.stringify({ execute, arguments: commandArguments })}\n`);
    } else if (reply.error === undefined) resolve(reply.return as T);
    else reject(new Error(`${execute}: ${reply.error.desc}`));
  };
  let received = '';
  connection
    .setEncoding('latin1')
    .on('error', reject)
    .on('close', () => reject(new Error(`${execute}: the machine has ended`)))
    .on('data', (piece: string) => {
      const lines = (received + piece).split('\n');
      received = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
  connection.write(DELIMITER, 'latin1');
  connection.write(`${JSON.stringify({ execute: 'guest-sync-delimited', arguments: { id } })}\n`);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}

/** End of a program in the machine. */
export interface GuestExit {
  status: number;
  output: string;
  complaint: string;
}

interface ExecStatus {
  exited: boolean;
  exitcode?: number;
  signal?: number;
  'out-data'?: string;
  'err-data'?: string;
}

/** Result of a program that the machine no longer knows: it was restarted while the program ran. */
const FORGOTTEN: GuestExit = { status: 255, output: '', complaint: 'the machine was restarted meanwhile' };

const decode = (data = ''): string => Buffer.from(data, 'base64').toString('utf8').trimEnd();

/** Starts a program in the machine as root; the function that it resolves to gives its end, once it has ended. */
export async function startInGuest(
  socket: string,
  program: string,
  args: readonly string[],
): Promise<() => Promise<GuestExit | undefined>> {
  const { pid } = await askGuest<{ pid: number }>(socket, 'guest-exec', {
    path: program,
    arg: args,
    env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', 'HOME=/root', 'LC_ALL=C', 'TZ=UTC'],
    'capture-output': true,
  });
  return async () => {
    const ended = await askGuest<ExecStatus>(socket, 'guest-exec-status', { pid }).catch((error: Error) => {
      if (/PID \S+ does not exist/.test(error.message)) return undefined;
      throw error;
    });
    if (ended === undefined) return FORGOTTEN;
    if (!ended.exited) return undefined;
    return {
      status: ended.exitcode ?? 128 + (ended.signal ?? 0),
      output: decode(ended['out-data']),
      complaint: decode(ended['err-data']),
    };
  };
}
