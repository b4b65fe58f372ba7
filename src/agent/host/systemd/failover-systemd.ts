import { messageOf } from '../../../kernel/errors.ts';
import { BusUnreachableError, MissingProgramError, SystemdError } from '../../errors.ts';
import type { Systemd, UnitAnswer } from './systemd-answers.ts';

/**
 * Asks over the message bus, and uses the other way only where there is no bus: a manager that hangs would hang there
 * too.
 */
export class FailoverSystemd implements Systemd {
  readonly #bus: Systemd;
  readonly #other: Systemd;
  readonly #remedy: string;

  /** @param remedy for the case that both ways fail */
  constructor(bus: Systemd, other: Systemd, remedy?: string) {
    this.#bus = bus;
    this.#other = other;
    this.#remedy = remedy === undefined ? '' : `; ${remedy}`;
  }

  failedUnits(): Promise<string[]> {
    return this.#ask((manager) => manager.failedUnits());
  }

  unitAnswers(names: readonly string[]): Promise<UnitAnswer[]> {
    return this.#ask((manager) => manager.unitAnswers(names));
  }

  close(): void {
    this.#bus.close();
    this.#other.close();
  }

  async #ask<T>(question: (manager: Systemd) => Promise<T>): Promise<T> {
    try {
      return await question(this.#bus);
    } catch (unreachable) {
      if (!(unreachable instanceof BusUnreachableError)) throw unreachable;
      try {
        return await question(this.#other);
      } catch (error) {
        const also = error instanceof MissingProgramError ? '' : `; ${messageOf(error)}`;
        throw new SystemdError(`${unreachable.message}${also}${this.#remedy}`, { cause: unreachable });
      }
    }
  }
}
