import type { ReportService } from '../../../schemas/report.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Instant, isExpired } from '../collection/freshness.ts';
import type { ServiceRows } from '../collection/unit-rows.ts';
import { SystemdError } from '../errors.ts';
import type { Host } from '../host/host.ts';
import type { UnitAnswer } from '../host/systemd/systemd-answers.ts';

/** Most answers that are kept at a time. */
const KEPT_MAX = 1024;

/** Distinct reasons one answer repeats. */
const PROBLEMS_MAX = 5;

/** One `unit` or `userUnit` of a request. */
export interface UnitQuestion {
  name: string;
  manager: 'system' | 'user';
}

interface Kept extends Instant {
  answer: Promise<UnitAnswer>;
}

/**
 * Cache of answers about units. An answer lives as long as a report, and concurrent requests share one question.
 * @spec agent#endpoints
 */
export class UnitStates {
  readonly #host: Pick<Host, 'systemd' | 'userSystemd'>;
  readonly #clock: Clock;
  /** Manager and name -> answer; the oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(host: Pick<Host, 'systemd' | 'userSystemd'>, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  /** One row per question, in their order. Never rejects. */
  async rows(questions: readonly UnitQuestion[]): Promise<ServiceRows> {
    for (const manager of ['system', 'user'] as const) this.#askMissing(manager, questions);
    const answers = await Promise.all(questions.map((question) => this.#kept.get(keyOf(question))?.answer));
    const problems = new Set<string>();
    const services = questions.map(({ name, manager }, index): ReportService => {
      const answer = answers[index] ?? { problem: 'it was not asked about' };
      const user = manager === 'user' ? this.#host.userSystemd.user : '';
      if (!('problem' in answer)) return { unit: name, user, ...answer };
      problems.add(answer.problem);
      return { unit: name, user, load: '', active: '', sub: '', result: '' };
    });
    return { services, problem: problems.size === 0 ? undefined : [...problems].slice(0, PROBLEMS_MAX).join('; ') };
  }

  /** Asks the manager one question for all names without a fresh answer. */
  #askMissing(manager: UnitQuestion['manager'], questions: readonly UnitQuestion[]): void {
    const age = { monotonicMs: this.#clock.monotonic(), wallMs: this.#clock.now() };
    const names = new Set<string>();
    for (const question of questions) {
      const kept = this.#kept.get(keyOf(question));
      if (question.manager === manager && (kept === undefined || isExpired(kept, age))) names.add(question.name);
    }
    if (names.size === 0) return;
    const answers = this.#ask(manager, [...names]);
    for (const [index, name] of [...names].entries()) {
      const key = keyOf({ name, manager });
      const answer = answers.then((all) => all[index] ?? { problem: 'it was not answered' });
      // The key is deleted first, so that the map stays ordered by age.
      this.#kept.delete(key);
      this.#kept.set(key, { answer, ...age });
    }
    this.#forgetOld(age);
  }

  async #ask(manager: UnitQuestion['manager'], names: readonly string[]): Promise<UnitAnswer[]> {
    try {
      return await (manager === 'user' ? this.#askUser(names) : this.#askSystem(names));
    } catch (error) {
      return names.map(() => ({ problem: messageOf(error) }));
    }
  }

  async #askSystem(names: readonly string[]): Promise<UnitAnswer[]> {
    const systemd = await this.#host.systemd();
    if (systemd === undefined) throw new SystemdError('this machine was not started by systemd');
    return systemd.unitAnswers(names);
  }

  async #askUser(names: readonly string[]): Promise<UnitAnswer[]> {
    const { user, systemd, remedy } = this.#host.userSystemd;
    try {
      return await systemd.unitAnswers(names);
    } catch (error) {
      throw new SystemdError(`units of ${user}: ${messageOf(error)}; ${remedy}`, { cause: error });
    }
  }

  /** Drops old answers. Those of this request stay: they are the newest, and fewer than the limit. */
  #forgetOld(now: Instant): void {
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size <= KEPT_MAX && !isExpired(kept, now)) return;
      this.#kept.delete(key);
    }
  }
}

function keyOf({ name, manager }: UnitQuestion): string {
  return `${manager} ${name}`;
}
