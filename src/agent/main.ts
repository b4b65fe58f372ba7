import type { AgentConfig, agentConfig } from '../../schemas/agent.ts';
import { type CommandCall, type Program, runProgram } from '../kernel/command-line.ts';
import type { OpenHost } from './host/host.ts';
import { hostOptions } from './host-options.ts';
import type { PrintForm } from './print-once.ts';

// Each command imports what it needs where it runs: checking a configuration has no use for a server.

const PROGRAM = 'homeport-agent';

type Call = CommandCall<typeof agentConfig>;

const loadSchema = async (): Promise<typeof agentConfig> => (await import('../../schemas/agent.ts')).agentConfig;

async function hostOf({ options }: Call, config?: AgentConfig): Promise<OpenHost> {
  const { openHostBy } = await import('./open-host-by.ts');
  return openHostBy(options, process.env, config?.agent.userUnits);
}

/** Printing needs no configuration, but one that is named must be good. */
async function namedConfig({ options, configFile }: Call): Promise<AgentConfig | undefined> {
  if (options.config === undefined) return undefined;
  const { loadConfig } = await import('../kernel/config/load-config.ts');
  return (await loadConfig(configFile, await loadSchema())).value;
}

async function print(call: Call, form: PrintForm): Promise<never> {
  const [{ printOnce }, config] = await Promise.all([import('./print-once.ts'), namedConfig(call)]);
  return printOnce(await hostOf(call, config), form, config);
}

const dryRun = { 'dry-run': { type: 'boolean', summary: 'only say what would be done' } } as const;

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

const program: Program<typeof agentConfig> = {
  name: PROGRAM,
  summary: 'reports the state of this host to a hub and to Prometheus',
  schema: loadSchema,
  defaultConfigFile: '/etc/homeport/agent.json',
  commands: [
    {
      name: 'run',
      usage: '[run] [--config FILE]',
      summary: 'Serves /v1/report, /metrics and /healthz until SIGTERM; SIGHUP reads the configuration again.',
      config: 'read',
      isService: true,
      options: hostOptions,
      run: async (call) => {
        const { serve } = await import('./serve.ts');
        await serve(call, await hostOf(call, call.config), process.env);
        return undefined;
      },
    },
    {
      name: 'report',
      usage: 'report [--json] [--config FILE]',
      summary: 'Prints the report once: a table on a terminal, else JSON. A configuration adds what it asks for.',
      config: 'left',
      options: { ...hostOptions, json: { type: 'boolean', summary: 'print JSON also on a terminal' } },
      run: (call) => print(call, process.stdout.isTTY && call.options.json !== true ? 'table' : 'json'),
    },
    {
      name: 'metrics',
      usage: 'metrics [--config FILE]',
      summary: 'Prints the metrics once in Prometheus text format. A configuration adds what it asks for.',
      config: 'left',
      options: hostOptions,
      run: (call) => print(call, 'metrics'),
    },
    {
      name: 'user-units',
      usage: 'user-units',
      summary: "Answers the agent about units of this account's own service manager; a socket unit starts it.",
      config: 'refused',
      run: async () => {
        const { serveUserUnits } = await import('./user-units/serve.ts');
        return serveUserUnits(process.env);
      },
    },
    {
      name: 'install-units',
      usage: 'install-units [--dry-run] [--tunnel-access] [--config FILE]',
      summary:
        'Makes the agent a service of systemd on this machine and starts it, with a configuration and a token if there are none.',
      config: 'left',
      options: {
        ...dryRun,
        'tunnel-access': { type: 'boolean', summary: 'let it see the peers of WireGuard tunnels (CAP_NET_ADMIN)' },
      },
      run: async ({ configFile, options }) => {
        const { installUnits } = await import('./install/commands.ts');
        const { 'dry-run': isDryRun = false, 'tunnel-access': hasTunnelAccess = false } = options;
        const [, main = ''] = process.argv;
        return installUnits(
          { configFile, main, isDryRun: isDryRun === true, hasTunnelAccess: hasTunnelAccess === true },
          tell,
        );
      },
    },
    {
      name: 'uninstall-units',
      usage: 'uninstall-units [--dry-run]',
      summary: 'Stops the service and removes its units; configuration and token stay.',
      config: 'refused',
      options: dryRun,
      run: async ({ options }) => {
        const { uninstallUnits } = await import('./install/commands.ts');
        return uninstallUnits({ isDryRun: options['dry-run'] === true }, tell);
      },
    },
  ],
};

// Not awaited: the built program is a script, in which nothing waits at the top.
void runProgram(program, process.argv.slice(2), {
  notifySocket: process.env.NOTIFY_SOCKET,
  file: process.argv[1],
});
