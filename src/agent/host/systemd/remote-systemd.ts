import { createConnection } from 'node:net';
import { messageOf, systemCodeOf } from '../../../kernel/errors.ts';
import { SystemdError } from '../../errors.ts';
import { ANSWER_MAX_CHARACTERS, decodeAnswer, EXCHANGE_DEADLINE_MS, encodeLine } from './remote-protocol.ts';
import type { UnitAnswer } from './systemd-answers.ts';

/** The manager of another user, asked by way of a process of that user: `homeport-agent user-units`. */
export class RemoteSystemd {
  readonly #socket: string;

  /** @param socket path at which the process listens */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** @throws SystemdError */
  async unitAnswers(names: readonly string[]): Promise<UnitAnswer[]> {
    const line = await this.#exchange(encodeLine({ units: names }));
    let answer: ReturnType<typeof decodeAnswer>;
    try {
      answer = decodeAnswer(line);
    } catch (error) {
      throw new SystemdError(`could not understand the answer at ${this.#socket}`, { cause: error });
    }
    if ('error' in answer) throw new SystemdError(answer.error);
    if (answer.units.length !== names.length)
      throw new SystemdError(`could not understand the answer at ${this.#socket}`);
    return answer.units;
  }

  close(): void {
    // Each question has a connection of its own.
  }

  /** Sends the question and returns all that the other side sends until it closes the connection. */
  #exchange(question: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const connection = createConnection({ path: this.#socket });
    const fail = (reason: string): void => {
      connection.destroy();
      reject(new SystemdError(`could not ask at ${this.#socket}: ${reason}`));
    };
    const timer = setTimeout(() => fail('no answer'), EXCHANGE_DEADLINE_MS);
    let answer = '';
    connection.setEncoding('utf8');
    connection.once('connect', () => connection.write(question));
    connection.on('data', (piece: string) => {
      answer += piece;
      if (answer.length > ANSWER_MAX_CHARACTERS) fail('its answer is too long');
    });
    connection.once('end', () => resolve(answer));
    connection.once('error', (error) => fail(systemCodeOf(error) ?? messageOf(error)));
    return promise.finally(() => {
      clearTimeout(timer);
      connection.destroy();
    });
  }
}
