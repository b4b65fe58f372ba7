import type { ConnectorConfig } from '../../schemas/connector.ts';
import { messageOf, onOneLine, StartError, systemCodeOf } from '../kernel/errors.ts';
import { printedJson } from '../kernel/printed-json.ts';
import type { ReadSecret } from './database-choice.ts';
import { resolveChannel } from './domain/channel.ts';
import { askOwn } from './own/ask-own.ts';
import { showWait } from './shown-wait.ts';

/**
 * Deadline of the answer. An invitation is a few rows in the database; the bouncer, which gets the channels, may take
 * longer.
 */
const ANSWER_DEADLINE_MS = 10_000;
const SECOND_MS = 1_000;

/** Error codes of a connection that broke after it was open: the request may have arrived. */
const BROKEN: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

const UNAUTHORIZED_STATUS = 401;

/** Address that means every address of the machine → address at which the machine's own programs reach it. */
const REACHED_AT: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export interface InviteWords {
  login: string;
  /** Channels separated by commas, with or without `#`; all channels if undefined. */
  channels: string | undefined;
  isNewPerson: boolean;
  isJson: boolean;
}

/** The connector's answer; see admin/invite-route.ts. */
interface Answer {
  channels?: string[];
  note?: string;
  error?: { code?: string; message?: string };
}

/** Asks the running connector to invite a person, and prints the grants. @throws StartError that says what to do */
export async function runInvite(
  config: ConnectorConfig,
  words: InviteWords,
  readSecret: ReadSecret,
  deadlineMs = ANSWER_DEADLINE_MS,
): Promise<number> {
  const { adminTokenFile, baseUrl, ircChannels, stateDirectory } = config;
  if (adminTokenFile === undefined) {
    throw new StartError(
      'adminTokenFile is not set, so the connector takes no invitations from programs: set it, or invite on the page of the settings',
    );
  }
  const token = readSecret(adminTokenFile, 'adminTokenFile');
  const channels = words.channels === undefined ? undefined : chosenChannels(words.channels, ircChannels);
  const { login, isNewPerson } = words;
  const body = { idp_login: login, channels, ...(isNewPerson ? { new_person: true } : {}) };
  const address = REACHED_AT[config.listen.address] ?? config.listen.address;
  const { port } = config.listen;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  const asking = ask({ address, port, url, stateDirectory, baseUrl, token, body, deadlineMs });
  const { status, answer } = await showWait(() => `waiting for the connector at ${url}`, asking);
  if (status === UNAUTHORIZED_STATUS) {
    throw new StartError(
      'the connector that runs has another admin token: name its configuration by --config, or restart it if the token has changed',
    );
  }
  if (answer.error?.code === 'not_serving') {
    throw new StartError(
      `not invited: the connector at ${url} waits as a standby, and another process serves. Run this command on its machine, which homeport-connector doctor names`,
    );
  }
  if (answer.channels === undefined) throw new StartError(`not invited: ${answer.error?.message ?? `HTTP ${status}`}`);
  if (words.isJson) {
    const { channels: granted, note } = answer;
    const outcome = { login, channels: granted, settings: `${baseUrl}/settings`, ...(note && { note }) };
    process.stdout.write(`${printedJson(outcome)}\n`);
    return 0;
  }
  const granted =
    answer.channels.length === 0 ? `${login} has no channel` : `${login} has ${answer.channels.join(', ')}`;
  print(granted);
  print(answer.note ?? `ask them to sign in at ${baseUrl}/settings, and to tick there what their agents may use`);
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

interface Question {
  address: string;
  port: number;
  /** Both, for messages. */
  url: string;
  stateDirectory: string;
  /** Address where people see the outcome. */
  baseUrl: string;
  token: string;
  body: { idp_login: string; new_person?: boolean };
  deadlineMs: number;
}

/** @throws StartError that distinguishes a connector that does not run from one that may have invited */
async function ask({ url, baseUrl, deadlineMs, ...question }: Question): Promise<{ status: number; answer: Answer }> {
  const signal = AbortSignal.timeout(deadlineMs);
  const { body } = question;
  try {
    const { status, text } = await askOwn({ ...question, path: '/admin/invite', signal });
    return { status, answer: answerIn(text) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    const isLate = signal.aborted;
    // A person who has signed in meanwhile with a login that was freed would lose it again.
    const again =
      body.new_person === true ? 'look there before you repeat the command' : 'repeating the command does no harm';
    const message =
      isLate || BROKEN.has(systemCodeOf(error))
        ? `the connector at ${url} ${isLate ? `has not answered within ${deadlineMs / SECOND_MS} s` : 'has hung up'}. It may have invited ${body.idp_login}: an owner sees that at ${baseUrl}/settings; ${again}. \`homeport-connector doctor\` says what is out of order`
        : `no connector answers at ${url} (${messageOf(error)}): start it, or name the configuration of one that runs by --config`;
    throw new StartError(message, { cause: error });
  }
}

/** Reads the answer. A text that is not JSON comes from another program, and counts as an empty answer. */
function answerIn(text: string): Answer {
  try {
    return (JSON.parse(text) as Answer | null) ?? {};
  } catch {
    // The caller reports the status of the answer.
    return {};
  }
}

/** Another program may have written the line. */
const print = (line: string): void => void process.stdout.write(`${onOneLine(line)}\n`);
