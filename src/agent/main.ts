import type { AgentConfig, agentConfig } from '../../schemas/agent.ts';
import { type CommandCall, type Program, runProgram } from '../kernel/command-line.ts';
import { agentText } from './command-texts.ts';
import type { OpenHost } from './host/host.ts';
import type { PrintForm } from './print-once.ts';

// Each command imports what it needs where it runs: checking a configuration has no use for a server.

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

const fromRoot = (file: string): string => (file.startsWith('/') ? file : `${process.cwd()}/${file}`);

const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);

const program: Program<typeof agentConfig, typeof agentText> = {
  text: agentText,
  schema: loadSchema,
  runs: {
    run: async (call) => {
      const { serve } = await import('./serve.ts');
      await serve({ ...call, configFile: fromRoot(call.configFile) }, await hostOf(call, call.config), process.env);
      return undefined;
    },
    report: (call) => print(call, process.stdout.isTTY && call.options.json !== true ? 'table' : 'json'),
    metrics: (call) => print(call, 'metrics'),
    'user-units': async () => {
      const { serveUserUnits } = await import('./user-units/serve-user-units.ts');
      return serveUserUnits(process.env);
    },
    'check-start': async ({ config }) => {
      const { runCheckStart } = await import('./check-start.ts');
      return runCheckStart(config, process.env, process.argv[1] ?? '', writeLine);
    },
    'install-units': async ({ configFile, options }) => {
      const { installUnits } = await import('./install/commands.ts');
      const { 'dry-run': isDryRun = false, 'tunnel-access': hasTunnelAccess = false } = options;
      const [, main = ''] = process.argv;
      return installUnits(
        { configFile, main, isDryRun: isDryRun === true, hasTunnelAccess: hasTunnelAccess === true },
        writeLine,
      );
    },
    'uninstall-units': async ({ options }) => {
      const { uninstallUnits } = await import('./install/commands.ts');
      return uninstallUnits({ isDryRun: options['dry-run'] === true }, writeLine);
    },
  },
};

// Not awaited, because the built program is a script, which has no top-level await.
void runProgram(program, process.argv.slice(2), {
  notifySocket: process.env.NOTIFY_SOCKET,
  file: process.argv[1],
});
