import { FailedCommandError, SystemdError } from '../../errors.ts';
import type { Command, CommandResult } from '../run-command.ts';
import { type Properties, parseShow, parseUnitList, timerFacts } from './systemctl-output.ts';
import type { Systemd, UnitAnswer, UnitState } from './systemd-answers.ts';
import { type Instant, timerState } from './timer-state.ts';
import { isUnitName, unitType } from './unit-name.ts';

const UNIT_PROPERTIES = [
  ...['LoadState', 'ActiveState', 'SubState', 'Result'],
  ...['Unit', 'LastTriggerUSec', 'NextElapseUSecRealtime', 'NextElapseUSecMonotonic'],
];
const SERVICE_PROPERTIES = ['LoadState', 'ActiveState', 'ExecMainStatus'];

/** Total time for all systemctl calls of one question; shorter than the client's own timeout. */
const QUESTION_DEADLINE_MS = 7_000;

/** Options before a command, for the system's manager and plain output. */
const systemWords = ['--no-pager', '--system'];

/** systemd by its program, for machines without a message bus. @see systemctl(1) */
export class CommandSystemd implements Systemd {
  readonly #run: (command: Command) => Promise<CommandResult>;
  readonly #now: () => Instant;

  /**
   * @param run starts programs, each within a deadline
   * @param now the instant to which answers about timers belong
   */
  constructor(run: (command: Command) => Promise<CommandResult>, now: () => Instant) {
    this.#run = run;
    this.#now = now;
  }

  async failedUnits(): Promise<string[]> {
    const options = ['--state=failed', '--no-legend', '--plain', '--full'];
    return parseUnitList(await this.#output(['list-units', ...options]));
  }

  async unitAnswers(names: readonly string[]): Promise<UnitAnswer[]> {
    const endMs = this.#nowMs() + QUESTION_DEADLINE_MS;
    const units = await this.#showEach(names, UNIT_PROPERTIES, endMs);
    const started = units.map((unit, index) => ('problem' in unit ? '' : startedBy(names[index] ?? '', unit)));
    const services = [...new Set(started)].filter((name) => name !== '');
    const found = await this.#showEach(services, SERVICE_PROPERTIES, endMs);
    const now = this.#now();
    return units.map((unit, index) => {
      if ('problem' in unit) return { problem: unit.problem };
      const service = found[services.indexOf(started[index] ?? '')];
      return answerOf(names[index] ?? '', unit.properties, service, now);
    });
  }

  close(): void {
    // There is no state between questions.
  }

  /** One `systemctl show` for all names. If it rejects one name it rejects all, so then one call for each name. */
  async #showEach(names: readonly string[], properties: readonly string[], endMs: number): Promise<Shown[]> {
    if (names.length === 0) return [];
    const together = await this.#show(names, properties, endMs);
    if (!('problem' in together)) return together.blocks.map((block) => ({ properties: block }));
    if (names.length === 1) return [together];
    const shown: Shown[] = [];
    for (const name of names) {
      const alone = await this.#show([name], properties, endMs).catch(problemOf);
      shown.push('problem' in alone ? alone : { properties: alone.blocks[0] ?? {} });
    }
    return shown;
  }

  async #show(
    names: readonly string[],
    properties: readonly string[],
    endMs: number,
  ): Promise<{ blocks: Properties[] } | { problem: string }> {
    const deadlineMs = endMs - this.#nowMs();
    if (deadlineMs <= 0) return { problem: 'not asked: systemctl took too long before' };
    const args = [...systemWords, 'show', `--property=${properties.join(',')}`, '--', ...names];
    const { status, output, complaint } = await this.#run({ program: 'systemctl', args, deadlineMs });
    if (status !== 0) return { problem: `systemctl: ${complaint || `exit status ${status}`}` };
    const blocks = parseShow(output);
    const isWhole = blocks.length === names.length && blocks.every(({ LoadState }) => LoadState !== undefined);
    return isWhole ? { blocks } : { problem: 'could not understand systemctl show: expected a block for each unit' };
  }

  #nowMs(): number {
    return this.#now().monotonicUs / 1000;
  }

  async #output(args: readonly string[]): Promise<string> {
    const { status, output, complaint } = await this.#run({ program: 'systemctl', args: [...systemWords, ...args] });
    if (status !== 0) throw new SystemdError(`systemctl: ${complaint || `exit status ${status}`}`);
    return output;
  }
}

/** A call that did not end is a problem of its own name only. */
function problemOf(error: unknown): { problem: string } {
  if (error instanceof FailedCommandError) return { problem: error.message };
  throw error;
}

type Shown = { properties: Properties } | { problem: string };

function startedBy(name: string, unit: { properties: Properties }): string {
  const started = unitType(name) === 'timer' ? (unit.properties.Unit ?? '') : '';
  // Output of a program becomes an argument only if it is a valid unit name.
  return isUnitName(started) ? started : '';
}

function answerOf(name: string, unit: Properties, service: Shown | undefined, now: Instant): UnitState {
  const state: UnitState = {
    load: unit.LoadState ?? '',
    active: unit.ActiveState ?? '',
    sub: unit.SubState ?? '',
    result: unit.Result ?? '',
  };
  if (unitType(name) !== 'timer') return state;
  const properties = service !== undefined && 'properties' in service ? service.properties : {};
  return { ...state, ...timerState(timerFacts(unit, properties), now) };
}
