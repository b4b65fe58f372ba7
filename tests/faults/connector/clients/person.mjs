import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** Address of the MCP endpoint. */
export const endpoint = process.env.ENDPOINT;

const STATUS_QUESTIONS = 60;
const STATUS_PAUSE_MS = 500;

/**
 * What the libraries of clients ask their programs to keep. The person is sent away by a line of output, and comes
 * back with a code.
 */
export async function createCredentials() {
  const { promise: code, resolve } = Promise.withResolvers();
  const server = createServer((request, response) => {
    response.end('You can go back to the client.');
    resolve(new URL(request.url, 'http://127.0.0.1').searchParams.get('code'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUrl = `http://127.0.0.1:${server.address().port}/callback`;
  let [client, tokens, verifier] = [];
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Client of the tests',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    redirectToAuthorization: send,
  };
  return { provider, code };
}

/** Sends the person to an address. */
export function send(url) {
  process.stdout.write(`OPEN ${url}\n`);
}

/**
 * Plays the same with every client: what there is, what it reads, what it writes. `call` gives the result of a tool, as
 * an object or as the text of it, `end` ends what would outlive the program. It stays until it is stopped.
 */
export async function play(names, call, end = async () => undefined) {
  const result = async (name, args = {}) => objectOf(await call(name, args));
  const { nick, settingsUrl } = await result('see_account_information');
  const online = await result('go_online');
  const sent = await result('send_message', { channel: '#room', text: `said by ${process.env.CLIENT}` });
  let { status } = sent;
  for (let questions = 0; status !== 'echoed' && questions < STATUS_QUESTIONS; questions += 1) {
    await setTimeout(STATUS_PAUSE_MS);
    ({ status } = await result('get_message_status', { message_id: sent.messageId }));
  }
  const { entries } = await result('read_history', { channel: '#room', mode: 'recent', kinds: ['message'], limit: 5 });
  await result('go_offline');
  await end();
  const read = entries.map(({ text }) => text);
  process.stdout.write(
    `RESULT ${JSON.stringify({ tools: [...names].sort(), nick, settingsUrl, online, status, read })}\n`,
  );
  // A library may leave nothing open.
  setInterval(() => undefined, STATUS_PAUSE_MS);
}

/** Libraries hand on a result in many forms; the text of it is in each. */
function objectOf(given) {
  if (typeof given === 'string') return JSON.parse(given);
  if (Array.isArray(given)) return objectOf(given[0]);
  if (given?.isError === true) throw new Error(JSON.stringify(given));
  if (given?.structuredContent !== undefined) return given.structuredContent;
  if (given?.content !== undefined) return objectOf(given.content);
  return typeof given?.text === 'string' ? JSON.parse(given.text) : given;
}
