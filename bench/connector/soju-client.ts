import { type IrcConnection, openConnection, parseAddress } from '../../src/connector/irc/irc-connection.ts';
import { formatLine, type IrcLine } from '../../src/connector/irc/line.ts';

const ANSWER_DEADLINE_MS = 60_000;
const CAPABILITIES = 'batch message-tags server-time draft/chathistory soju.im/search';

/** A client of soju that asks for stored lines; one question at a time. */
export class SojuClient {
  readonly #connection: IrcConnection;
  #onLine: (line: IrcLine) => void = () => undefined;

  private constructor(connection: IrcConnection) {
    this.#connection = connection;
  }

  static async connect(address: string, user: string, password: string): Promise<SojuClient> {
    const reader = { take: (_line: IrcLine): void => undefined };
    const connection = await openConnection(parseAddress(address), {
      onLine: (line) => reader.take(line),
      onClose: () => undefined,
    });
    const client = new SojuClient(connection);
    reader.take = (line) => client.#onLine(line);
    const lines: [string, string[]][] = [
      ['CAP', ['LS', '302']],
      ['PASS', [password]],
      ['NICK', [user]],
      ['USER', [`${user}/main`, '0', '*', user]],
      ['CAP', ['REQ', CAPABILITIES]],
      ['CAP', ['END']],
    ];
    await client.#ask(lines, ({ command }) => command === '376' || command === '422');
    return client;
  }

  /** Asks for stored lines. Resolves with their number, the milliseconds until the last came, and the first line. */
  async lines(
    command: string,
    ...params: string[]
  ): Promise<{ count: number; ms: number; first: IrcLine | undefined }> {
    const start = performance.now();
    const answer = await this.#ask([[command, params]], ({ command: name, params: [reference = ''] }) => {
      if (name === 'FAIL') throw new Error(`soju refuses ${command}`);
      return name === 'BATCH' && reference.startsWith('-');
    });
    const ms = performance.now() - start;
    const said = answer.filter(({ command: name }) => name === 'PRIVMSG');
    return { count: said.length, ms, first: said[0] };
  }

  close(): void {
    this.#connection.close();
  }

  #ask(lines: readonly [string, string[]][], isLast: (line: IrcLine) => boolean): Promise<IrcLine[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('soju does not answer')), ANSWER_DEADLINE_MS);
      const answer: IrcLine[] = [];
      this.#onLine = (line) => {
        answer.push(line);
        try {
          if (!isLast(line)) return;
          resolve(answer);
        } catch (error) {
          reject(error);
        }
        clearTimeout(timer);
      };
      for (const [command, params] of lines) this.#connection.write(formatLine(command, params));
    });
  }
}
