import type { ConnectorConfig } from '../../schemas/connector.ts';
import { messageOf, StartError, systemCodeOf } from '../kernel/errors.ts';
import type { ReadSecret } from './database-choice.ts';
import { resolveChannel } from './domain/channel.ts';

/** An invitation is a few rows in the database; the bouncer, which is told of channels, may take longer. */
const ANSWER_DEADLINE_MS = 10_000;
const SECOND_MS = 1_000;

/** With these a connection broke that stood: the request may have arrived. */
const BROKEN: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const UNAUTHORIZED_STATUS = 401;

/** Addresses that mean every address of the machine, and one at which its own programs reach it. */
const REACHED_AT: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export interface InviteWords {
  login: string;
  /** Separated by commas, with or without `#`; all channels without. */
  channels: string | undefined;
  isNewPerson: boolean;
}

/** What the connector answers; see admin/invite.ts. */
interface Answer {
  channels?: string[];
  note?: string;
  error?: { message?: string };
}

/** Asks the running connector to invite somebody, and prints what is granted. @throws StartError that says what to do */
export async function runInvite(
  config: ConnectorConfig,
  words: InviteWords,
  readSecret: ReadSecret,
  deadlineMs = ANSWER_DEADLINE_MS,
): Promise<number> {
  const { adminTokenFile, baseUrl, ircChannels } = config;
  if (adminTokenFile === undefined) {
    throw new StartError(
      'adminTokenFile is not set, so the connector takes no invitations from programs: set it, or invite on the page of the settings',
    );
  }
  const token = readSecret(adminTokenFile, 'adminTokenFile');
  const channels = words.channels === undefined ? undefined : chosenChannels(words.channels, ircChannels);
  const { login, isNewPerson } = words;
  const body = { idp_login: login, channels, ...(isNewPerson ? { new_person: true } : {}) };
  const { status, answer } = await ask({ url: ownUrl(config), baseUrl, token, body, deadlineMs });
  if (status === UNAUTHORIZED_STATUS) {
    throw new StartError(
      'the connector that runs has another admin token: name its configuration by --config, or restart it if the token has changed',
    );
  }
  if (answer.channels === undefined) throw new StartError(`not invited: ${answer.error?.message ?? `HTTP ${status}`}`);
  const granted =
    answer.channels.length === 0 ? `${login} has no channel` : `${login} has ${answer.channels.join(', ')}`;
  print(granted);
  print(answer.note ?? `tell them to sign in at ${baseUrl}/settings, and to tick there what their agents may use`);
  return 0;
}

/** @throws StartError for a channel that the configuration does not have */
function chosenChannels(written: string, known: readonly string[]): string[] {
  const names = written.split(/[\s,]+/).filter((name) => name !== '');
  return names.map((name) => {
    const channel = resolveChannel(name, known);
    if (channel === undefined) throw new StartError(`${name} is not one of ircChannels: ${known.join(', ')}`);
    return channel;
  });
}

function ownUrl({ listen: { address, port } }: ConnectorConfig): string {
  const reached = REACHED_AT[address] ?? address;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

interface Question {
  url: string;
  /** Where people see what came of it. */
  baseUrl: string;
  token: string;
  body: { idp_login: string; new_person?: boolean };
  deadlineMs: number;
}

/** @throws StartError that tells a connector that is not there from one that may have invited */
async function ask({ url, baseUrl, token, body, deadlineMs }: Question): Promise<{ status: number; answer: Answer }> {
  try {
    const response = await fetch(`${url}/admin/invite`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
    return { status: response.status, answer: answerIn(await response.text()) };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    // Who has signed in meanwhile with a login that was freed would lose it again.
    const again =
      body.new_person === true ? 'look there before you repeat the command' : 'repeating the command does no harm';
    const message =
      isLate || BROKEN.has(systemCodeOf(cause))
        ? `the connector at ${url} ${isLate ? `has not answered within ${deadlineMs / SECOND_MS} s` : 'has hung up'}. It may have invited ${body.idp_login}: an owner sees that at ${baseUrl}/settings; ${again}. \`homeport-connector doctor\` says what is out of order`
        : `no connector answers at ${url} (${messageOf(cause)}): start it, or name the configuration that it runs with by --config`;
    throw new StartError(message, { cause: error });
  }
}

/** What is not JSON comes from another program. */
function answerIn(text: string): Answer {
  try {
    return (JSON.parse(text) as Answer | null) ?? {};
  } catch {
    return {};
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
