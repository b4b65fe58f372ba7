import { messageOf } from '../../../kernel/errors.ts';
import { BusCallError, SystemdError } from '../../errors.ts';
import { type BusAddress, BusConnection } from '../dbus/bus-connection.ts';
import type { WireArgument, WireValue } from '../dbus/wire.ts';
import type { Systemd, UnitAnswer, UnitState } from './systemd-answers.ts';
import { type Instant, type TimerFacts, timerState } from './timer-state.ts';
import { unitType } from './unit-name.ts';

const MANAGER = 'org.freedesktop.systemd1';
const MANAGER_PATH = '/org/freedesktop/systemd1';

/** Deadline for all calls of one question; the rest of the report must not wait longer. */
const ASK_DEADLINE_MS = 5_000;

/**
 * Pauses before a question that came too early is repeated. A service manager joins its bus a moment after the bus
 * starts.
 */
const PAUSES_MS: readonly number[] = [100, 400, 1_000];

/** Errors that a bus returns while the manager has not joined it. */
const NOT_JOINED =
  /^org\.freedesktop\.DBus\.Error\.(ServiceUnknown|NameHasNoOwner|NoReply|Disconnected|Spawn\.[A-Za-z]+)$/;

/** Types whose units end with a result. */
const TYPES_WITH_RESULT = ['service', 'socket', 'mount', 'automount', 'swap', 'timer', 'path', 'scope'];

/** systemd by its interface on a message bus. @see org.freedesktop.systemd1(5) */
export class BusSystemd implements Systemd {
  readonly #address: BusAddress;
  readonly #now: () => Instant;
  readonly #deadlineMs: number;
  #connection: BusConnection | undefined;
  #opening: Promise<BusConnection> | undefined;

  /** @param now the instant to which answers about timers belong */
  constructor(address: BusAddress, now: () => Instant, deadlineMs: number = ASK_DEADLINE_MS) {
    this.#address = address;
    this.#now = now;
    this.#deadlineMs = deadlineMs;
  }

  failedUnits(): Promise<string[]> {
    return this.#ask(async (connection) => {
      const [units] = await call(connection, MANAGER_PATH, `${MANAGER}.Manager`, 'ListUnitsFiltered', [['failed']]);
      if (!Array.isArray(units)) throw new SystemdError('systemd answered without a list of units');
      return units.map((unit) => textOf(Array.isArray(unit) ? unit[0] : undefined)).filter((name) => name !== '');
    });
  }

  unitAnswers(names: readonly string[]): Promise<UnitAnswer[]> {
    return this.#ask((connection) => Promise.all(names.map((name) => unitAnswer(connection, name, this.#now))));
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /**
   * Asks within the deadline. A connection that exceeded it is closed, because its next answer could be a late one. A
   * question that came too early is repeated.
   */
  async #ask<T>(question: (connection: BusConnection) => Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.#connection?.close(`no answer within ${this.#deadlineMs / 1000} s`);
    }, this.#deadlineMs);
    const deadlineMs = performance.now() + this.#deadlineMs;
    const attempt = async (tried: number): Promise<T> => {
      try {
        return await question(await this.#opened());
      } catch (error) {
        const pauseMs = PAUSES_MS[tried];
        if (pauseMs === undefined || performance.now() + pauseMs >= deadlineMs || !mayAskAgain(error, tried))
          throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        return await attempt(tried + 1);
      }
    };
    try {
      return await attempt(0);
    } finally {
      clearTimeout(timer);
    }
  }

  #opened(): Promise<BusConnection> {
    if (this.#opening === undefined || this.#connection?.isEnded !== false) {
      const connection = new BusConnection(this.#address);
      this.#connection = connection;
      this.#opening = connection.open().then(
        () => connection,
        (error: unknown) => {
          // A bus that is full refuses the first call and keeps the connection, on which no other call will do.
          connection.close(messageOf(error));
          throw error;
        },
      );
    }
    return this.#opening;
  }
}

/**
 * Whether the bus or its connection failed, as while the manager starts, and not the question. A failed connection is
 * retried once.
 */
function mayAskAgain(error: unknown, tried: number): boolean {
  if (!(error instanceof BusCallError)) return false;
  return error.errorName === '' ? tried === 0 : NOT_JOINED.test(error.errorName);
}

function call(
  connection: BusConnection,
  path: string,
  interfaceName: string,
  member: string,
  args: readonly WireArgument[],
): Promise<WireValue[]> {
  return connection.call({ destination: MANAGER, path, interface: interfaceName, member, args });
}

/** Object of a unit; asking it loads the unit. Bytes other than letters and digits are `_` and two hexadecimal digits. */
export function unitPath(name: string): string {
  const escaped = name.replaceAll(
    /[^0-9A-Za-z]|^[0-9]/g,
    (character) => `_${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `${MANAGER_PATH}/unit/${escaped}`;
}

/** One property of a unit; `of` names the part of the interface: `Unit`, `Service` and so on. */
async function property(connection: BusConnection, unit: string, of: string, name: string): Promise<WireValue> {
  const [value] = await call(connection, unitPath(unit), 'org.freedesktop.DBus.Properties', 'Get', [
    `${MANAGER}.${of}`,
    name,
  ]);
  return value ?? '';
}

async function unitAnswer(connection: BusConnection, name: string, now: () => Instant): Promise<UnitAnswer> {
  const type = unitType(name);
  try {
    const [load, active, sub, result] = await Promise.all([
      property(connection, name, 'Unit', 'LoadState'),
      property(connection, name, 'Unit', 'ActiveState'),
      property(connection, name, 'Unit', 'SubState'),
      TYPES_WITH_RESULT.includes(type) ? property(connection, name, interfaceOf(type), 'Result') : '',
    ]);
    const state: UnitState = { load: textOf(load), active: textOf(active), sub: textOf(sub), result: textOf(result) };
    if (type !== 'timer') return state;
    return { ...state, ...timerState(await timerFacts(connection, name, state.sub), now()) };
  } catch (error) {
    // An error by systemd itself concerns this unit; one of the connection or of the bus concerns them all.
    if (error instanceof BusCallError && error.errorName !== '' && !NOT_JOINED.test(error.errorName))
      return { problem: error.message };
    throw error;
  }
}

async function timerFacts(connection: BusConnection, name: string, timerSub: string): Promise<TimerFacts> {
  const [service, lastTrigger, nextRealtime, nextMonotonic] = await Promise.all([
    property(connection, name, 'Timer', 'Unit'),
    property(connection, name, 'Timer', 'LastTriggerUSec'),
    property(connection, name, 'Timer', 'NextElapseUSecRealtime'),
    property(connection, name, 'Timer', 'NextElapseUSecMonotonic'),
  ]);
  const started = textOf(service);
  const [active, exitStatus] = await Promise.all([
    started === '' ? '' : property(connection, started, 'Unit', 'ActiveState'),
    started !== '' && unitType(started) === 'service' ? property(connection, started, 'Service', 'ExecMainStatus') : 0,
  ]);
  return {
    service: started,
    timerSub,
    serviceActive: textOf(active),
    exitStatus: Number(exitStatus),
    lastTriggerUs: Number(lastTrigger),
    nextRealtimeUs: Number(nextRealtime),
    nextMonotonicUs: Number(nextMonotonic),
  };
}

function interfaceOf(type: string): string {
  return `${type[0]?.toUpperCase()}${type.slice(1)}`;
}

function textOf(value: WireValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
