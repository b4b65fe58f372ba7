import { checkStartText, type ProgramText } from '../kernel/command-texts.ts';

/** Options that name other mount points of the machine's file systems; for containers and copied trees. */
const hostOptions = {
  procfs: { type: 'string', summary: 'where procfs is mounted (default /proc)' },
  sysfs: { type: 'string', summary: 'where sysfs is mounted (default /sys)' },
  rootfs: { type: 'string', summary: "where the machine's root directory is mounted (default /)" },
} as const;

const dryRun = { 'dry-run': { type: 'boolean', summary: 'only say what would be done' } } as const;

/** The agent and its commands, as its help and its manual page describe them. */
export const agentText = {
  name: 'homeport-agent',
  summary: 'reports the state of this host to a hub and to Prometheus',
  defaultConfigFile: '/etc/homeport/agent.json',
  commands: [
    {
      name: 'run',
      usage: '[run] [--config FILE]',
      summary: 'Serves /v1/report, /metrics and /healthz until SIGTERM; SIGHUP reads the configuration again.',
      config: 'read',
      isService: true,
      options: hostOptions,
    },
    {
      name: 'report',
      usage: 'report [--json] [--config FILE]',
      summary: 'Prints the report once: a table on a terminal, else JSON. A configuration adds what it asks for.',
      config: 'left',
      options: { ...hostOptions, json: { type: 'boolean', summary: 'print JSON also on a terminal' } },
    },
    {
      name: 'metrics',
      usage: 'metrics [--config FILE]',
      summary: 'Prints the metrics once in Prometheus text format. A configuration adds what it asks for.',
      config: 'left',
      options: hostOptions,
    },
    {
      name: 'user-units',
      usage: 'user-units',
      summary: "Answers the agent about units of this account's own service manager; a socket unit starts it.",
      config: 'refused',
    },
    checkStartText,
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
    },
    {
      name: 'uninstall-units',
      usage: 'uninstall-units [--dry-run]',
      summary: 'Stops the service and removes its units; configuration and token stay.',
      config: 'refused',
      options: dryRun,
    },
  ],
} as const satisfies ProgramText;
