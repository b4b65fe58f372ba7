import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { type Beside, serves, servingConfig } from './beside.ts';
import { type ConnectorStack, connectorCommand, writeConfig } from './start-connector.ts';

/** A process that can be started again where it was. */
export interface Member extends Beside {
  /** Ends it as a service manager does, starts it again, and waits until it serves. */
  restart(): Promise<void>;
  /** Ends it, and starts a program of another version in its place. @param command without it, the program as it is */
  replace(command?: readonly [string, ...string[]]): Promise<void>;
}

/** Several connectors that all serve, on one database. */
export interface Members extends AsyncDisposable {
  members: readonly Member[];
}

/**
 * Ends the stack's connector, and starts others with its keys in its place, each with a port and a state directory of its
 * own. The port in the stack's `baseUrl` is free then: for a balancer.
 */
export async function startMembers(stack: ConnectorStack, number = 3): Promise<Members> {
  await stack.connector.stop();
  const [first, ...others] = await Promise.all(Array.from({ length: number }, () => prepare(stack)));
  if (first === undefined) throw new Error('at least one process is wanted');
  await first.begin();
  await Promise.all(others.map(({ begin }) => begin()));
  const members = [first, ...others].map(({ member }) => member);
  return {
    members,
    [Symbol.asyncDispose]: async () => {
      // None of them has to hand over.
      for (const { process } of members) process.kill('SIGKILL');
      await Promise.all(members.map(({ process }) => process.ended));
    },
  };
}

async function prepare(stack: ConnectorStack): Promise<{ member: Member; begin: () => Promise<void> }> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const folder = join(stack.folder, `member-${port}`);
  const stateDirectory = join(folder, 'state');
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  await copyFile(join(stack.folder, 'state', 'keys.json'), join(stateDirectory, 'keys.json'));
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as { listen: Record<string, unknown> };
  const own = { stateDirectory, listen: { ...config.listen, port }, metricsListen: { port: metricsPort } };
  const file = await writeConfig(folder, { ...config, ...own, ...servingConfig(stack) });
  const [asItIs, ...args] = connectorCommand(file);
  const start = (program: readonly [string, ...string[]] = [asItIs]) =>
    startProcess({
      name: `connector at ${port}`,
      command: [...program, ...args],
      logFile: join(folder, 'connector.log'),
    });
  let process_ = stack.connector;
  const member: Member = {
    ...{ port, metricsPort },
    get process() {
      return process_;
    },
    restart: async () => {
      await process_.stop();
      await begin();
    },
    replace: async (program) => {
      await process_.stop();
      process_ = start(program);
    },
  };
  const begin = async (): Promise<void> => {
    process_ = start();
    await serves(member);
  };
  return { member, begin };
}
