import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { requireOwnListener } from './listener-accounts.ts';

/** Longest answer that is read; real ones have some hundred characters. */
const ANSWER_MAX_CHARACTERS = 1_048_576;

/** A question with a secret, for the connector of this configuration. */
export interface OwnQuestion {
  address: string;
  port: number;
  path: string;
  token: string;
  body: unknown;
  /** Directory of the connector's account. */
  stateDirectory: string;
  signal: AbortSignal;
}

export interface OwnAnswer {
  status: number;
  text: string;
}

/**
 * Asks the connector that runs on this machine. The token is sent once it is known that no other account's program would
 * get it.
 * @throws StartError for such a program, and errors of the connection
 */
export async function askOwn(question: OwnQuestion): Promise<OwnAnswer> {
  const { address, port, path, token, stateDirectory, signal } = question;
  const socket = connect({ host: address, port });
  try {
    await once(socket, 'connect', { signal });
    requireOwnListener(socket, stateDirectory);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = request({
      ...{ host: address, port, path, method: 'POST', headers, signal },
      createConnection: () => socket,
    });
    asked.end(JSON.stringify(question.body));
    const [response] = (await once(asked, 'response', { signal })) as [IncomingMessage];
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } finally {
    socket.destroy();
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += part;
    if (text.length > ANSWER_MAX_CHARACTERS) return '';
  }
  return text;
}
