import type { Clock } from '../../../kernel/clock.ts';
import type { Ended, Membership, OlderFound, OlderSeen } from './membership.ts';
import { Observation } from './observation.ts';

export interface OlderOptions {
  membership: Pick<Membership, 'older'>;
  clock: Pick<Clock, 'monotonic'>;
  /** A process that has ended, if one is known: it is not waited for if that is certain. */
  ended?: Ended | undefined;
  /** Called once, when this process waits for processes of earlier versions, though the slot may be free. */
  waitsForOlder(found: OlderFound): void;
}

/**
 * Knows whether this process has to leave the slot to processes of earlier versions: while one of them lives that could not
 * read what this one would make of the database.
 */
export class OlderProcesses {
  readonly #options: OlderOptions;
  /** Process → how long its heartbeat has not changed. */
  #observations = new Map<string, Observation>();
  #hasReported = false;

  constructor(options: OlderOptions) {
    this.#options = options;
  }

  /**
   * Looks once. Call it after each heartbeat, until this process has the slot.
   * @param steps number of the schema's newest step
   * @throws NewerDatabase when the program can't read the database any more
   */
  async mustWait(steps: number): Promise<boolean> {
    const { membership, ended, waitsForOlder } = this.#options;
    const found = await membership.older(steps);
    const isEnded = (processId: string): boolean => ended?.isCertain === true && ended.processId === processId;
    const before = this.#observations;
    this.#observations = new Map(
      found.processes.map(({ processId }) => [processId, before.get(processId) ?? new Observation()]),
    );
    const living = found.processes.filter((each) => !isEnded(each.processId) && !this.#isDead(each));
    if (living.length > 0 && !this.#hasReported) {
      this.#hasReported = true;
      waitsForOlder({ steps: found.steps, processes: living });
    }
    return living.length > 0;
  }

  #isDead({ processId, seenAt, databaseNow }: OlderSeen): boolean {
    const sight = { processId, fence: 0, seenAt, databaseNow };
    return this.#observations.get(processId)?.isDead(sight, this.#options.clock.monotonic()) === true;
  }
}
