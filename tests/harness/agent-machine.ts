import { type HostReport, hostReport } from '../../schemas/report.ts';
import type { SystemdContainer } from './nspawn.ts';
import { bootSystemd, REPOSITORY_INSIDE } from './systemd-container.ts';

type Attempt = Awaited<ReturnType<SystemdContainer['attempt']>>;

/** A machine with systemd on which `install-units` can be tried. */
export interface AgentMachine extends AsyncDisposable {
  run: SystemdContainer['run'];
  /** Runs a command in the root directory: the directory of the tests does not exist there. */
  attempt(...command: string[]): Promise<Attempt>;
  homeport(...words: string[]): Promise<Attempt>;
  stateOf(unit: string): Promise<string>;
  /** The token that was written for the service. */
  token(): Promise<string>;
  /** The report of the service. */
  report(query?: string): Promise<HostReport>;
}

/** @param files beside those of the agent, and `isWholeMachine`; both as of `bootSystemd` */
export async function bootAgentMachine(
  files: Record<string, string> = {},
  isWholeMachine = false,
): Promise<AgentMachine> {
  const container = await bootSystemd(
    { 'network-online.target': '[Unit]\nDefaultDependencies=no\n' },
    {
      // The units lack the usual dependencies, which would bring up half a machine.
      ...Object.fromEntries(
        ['agent.service', 'agent.socket', 'user-units.socket'].map((unit) => [
          `etc/systemd/system/homeport-${unit}.d/test.conf`,
          '[Unit]\nDefaultDependencies=no\n',
        ]),
      ),
      ...files,
    },
    isWholeMachine,
  );
  await container.run('chmod', '-R', 'a+rX', '/etc');
  const paths = Object.keys(files).map((path) => `/${path}`);
  if (paths.length > 0) await container.run('chmod', 'a+r', ...paths);

  const attempt = (...command: string[]) => container.attempt('env', '--chdir=/', ...command);
  const token = () => container.run('cat', '/etc/homeport/agent.token');
  return {
    run: (...command) => container.run(...command),
    attempt,
    homeport: (...words) => attempt(`${REPOSITORY_INSIDE}/bin/homeport-agent`, ...words),
    stateOf: async (unit) => (await container.attempt('systemctl', 'is-active', unit)).output,
    token,
    async report(query = '') {
      const request = `exec 3<>/dev/tcp/127.0.0.1/9105; printf 'GET /v1/report?${query} HTTP/1.0\\r\\nAuthorization: Bearer ${await token()}\\r\\n\\r\\n' >&3; cat <&3`;
      const answer = await container.run('bash', '-c', request);
      return hostReport.parse(JSON.parse(answer.slice(answer.indexOf('{'))));
    },
    [Symbol.asyncDispose]: () => container[Symbol.asyncDispose](),
  };
}
