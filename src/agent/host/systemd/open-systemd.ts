import { userInfo } from 'node:os';
import type { Clock } from '../../../kernel/clock.ts';
import type { Command, CommandResult } from '../run-command.ts';
import { BusSystemd } from './bus-systemd.ts';
import { CommandSystemd } from './command-systemd.ts';
import { FailoverSystemd } from './failover-systemd.ts';
import { RemoteSystemd } from './remote-systemd.ts';
import type { Systemd } from './systemd-answers.ts';
import { type Instant, instantOf } from './timer-state.ts';

/** Runs a program within a deadline. */
type RunCommand = (command: Command) => Promise<CommandResult>;

/** The manager of one user's units. */
export interface UserSystemd {
  /** Name of the account. */
  user: string;
  systemd: Pick<Systemd, 'unitAnswers' | 'close'>;
  /** Remedy if it can't be asked. */
  remedy: string;
}

/** systemd has started the machine exactly when this directory exists. @see sd_booted(3) */
export const BOOTED_BY_SYSTEMD = '/run/systemd/system';

/** Socket of the message bus that systemd has joined. */
export const SYSTEM_BUS = '/run/dbus/system_bus_socket';

/** systemd itself answers only root. dbus-daemon cannot look up the dynamic account of a service. */
const NO_BUS_REMEDY =
  'install dbus, start dbus.socket, and run the agent as an account of /etc/passwd, which install-units makes';

/** @param run undefined for another root directory: programs ask the machine this process runs on */
export function openSystemd(rootfs: string, clock: Pick<Clock, 'now'>, run: RunCommand | undefined): Systemd {
  const now = (): Instant => instantOf(clock);
  const bus = new BusSystemd({ path: `${rootfs}${SYSTEM_BUS}`, kind: 'bus' }, now);
  return run === undefined ? bus : new FailoverSystemd(bus, new CommandSystemd(run, now), NO_BUS_REMEDY);
}

/** Directory with a folder for each account that has a session. */
const RUNTIME = '/run/user';

const ownRuntime = (runtime: string): string => `${runtime}/${process.getuid?.() ?? 0}`;

/**
 * Opens the manager of this process's account: over the account's bus, or without a bus over the manager's own socket.
 */
export function openOwnSystemd(clock: Pick<Clock, 'now'>, runtime = RUNTIME): Systemd {
  const now = (): Instant => instantOf(clock);
  const directory = ownRuntime(runtime);
  return new FailoverSystemd(
    new BusSystemd({ path: `${directory}/bus`, kind: 'bus' }, now),
    new BusSystemd({ path: `${directory}/systemd/private`, kind: 'peer' }, now),
  );
}

/** Account that was configured, and the socket at which a process of that account answers. */
export interface UserUnits {
  user?: string | undefined;
  socket: string;
}

/** @param mustAnswer rejects where a path is on a mount that does not answer */
export function openUserSystemd(
  configured: UserUnits | undefined,
  clock: Pick<Clock, 'now'>,
  mustAnswer: (path: string) => Promise<void>,
): UserSystemd {
  const own = ownAccount();
  if (configured?.user === undefined || configured.user === own) {
    const remedy = 'agent.userUnits.user names the account to ask';
    return { user: own, systemd: afterLook(openOwnSystemd(clock), () => mustAnswer(ownRuntime(RUNTIME))), remedy };
  }
  const { user, socket } = configured;
  const remedy = 'systemd must start "homeport-agent user-units" as that account at agent.userUnits.socket';
  return { user, systemd: afterLook(new RemoteSystemd(socket), () => mustAnswer(socket)), remedy };
}

function afterLook(systemd: UserSystemd['systemd'], look: () => Promise<void>): UserSystemd['systemd'] {
  return {
    unitAnswers: async (names) => {
      await look();
      return await systemd.unitAnswers(names);
    },
    close: () => systemd.close(),
  };
}

/** Name of this process's account; its number if the account has no name, as in some containers. */
function ownAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // The account has no name.
    return String(process.getuid?.() ?? 0);
  }
}
