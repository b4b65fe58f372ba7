import { createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '../../kernel/errors.ts';
import {
  decodeQuestion,
  EXCHANGE_DEADLINE_MS,
  encodeLine,
  QUESTION_MAX_CHARACTERS,
  type RemoteAnswer,
} from '../host/systemd/remote-protocol.ts';
import type { Systemd } from '../host/systemd/systemd-answers.ts';

/** Most connections at a time: only the agent connects, once for each request that it answers. */
const CONNECTIONS_MAX = 32;

type UnitSource = Pick<Systemd, 'unitAnswers'>;

/** Creates a server that only answers questions about states of units; the caller makes it listen. */
export function createAnswerServer(systemd: UnitSource): Server {
  const server = createServer((connection) => {
    // A client that does not ask, or does not read the answer, loses its connection at the deadline.
    const timer = setTimeout(() => connection.destroy(), EXCHANGE_DEADLINE_MS);
    connection.once('close', () => clearTimeout(timer));
    connection.on('error', () => connection.destroy());
    readLine(connection, (line) => {
      void answerTo(line, systemd).then((answer) => connection.end(encodeLine(answer)));
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

function readLine(connection: Socket, take: (line: string) => void): void {
  let received = '';
  const onData = (piece: string): void => {
    received += piece;
    const end = received.indexOf('\n');
    if (end === -1 && received.length <= QUESTION_MAX_CHARACTERS) return;
    connection.off('data', onData);
    connection.resume();
    take(end === -1 ? '' : received.slice(0, end));
  };
  connection.setEncoding('utf8');
  connection.on('data', onData);
}

async function answerTo(line: string, systemd: UnitSource): Promise<RemoteAnswer> {
  let names: string[];
  try {
    names = decodeQuestion(line);
  } catch {
    // Every fault of a question has the same answer.
    return { error: 'expected {"units": [...]} with valid names in one line' };
  }
  try {
    return { units: await systemd.unitAnswers(names) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
