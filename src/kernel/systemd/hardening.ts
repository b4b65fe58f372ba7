/** Values of directives of systemd.exec(5); a list becomes a repeated directive. */
export type Directives = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * Restrictions of every service of ours. Missing on purpose: MemoryDenyWriteExecute, because V8 writes the code it
 * runs.
 * @see systemd.exec(5), systemd.resource-control(5)
 */
const SHARED: Directives = {
  AmbientCapabilities: '',
  CapabilityBoundingSet: '',
  DevicePolicy: 'closed',
  KeyringMode: 'private',
  LockPersonality: true,
  NoNewPrivileges: true,
  PrivateDevices: true,
  PrivateIPC: true,
  PrivateMounts: true,
  PrivateTmp: true,
  PrivateUsers: true,
  ProtectClock: true,
  ProtectControlGroups: true,
  ProtectHostname: true,
  ProtectKernelLogs: true,
  ProtectKernelModules: true,
  ProtectKernelTunables: true,
  ProtectSystem: 'strict',
  RemoveIPC: true,
  RestrictAddressFamilies: ['AF_INET', 'AF_INET6', 'AF_UNIX'],
  RestrictNamespaces: true,
  RestrictRealtime: true,
  RestrictSUIDSGID: true,
  SystemCallArchitectures: 'native',
  SystemCallErrorNumber: 'EPERM',
  // Node asks for protection keys once at its start; a filter without @pkey would end it there.
  SystemCallFilter: ['@system-service', '~@privileged @resources', '@pkey'],
  UMask: '0077',
};

/** Restrictions of a service that runs as a user's account, whose other processes may own the account's IPC objects. */
const { RemoveIPC: _removed, ...ofRealAccount } = SHARED;

/**
 * Variable that names the directory at which the agent finds the content of `/lib/modules`; without it the agent reads
 * that itself.
 */
export const KERNEL_MODULES_VARIABLE = 'HOMEPORT_KERNEL_MODULES';

/** Only root may write to the directory above, so that no account can show other kernels. */
const KERNEL_MODULES = '/run/homeport-agent/kernel-modules';

/** The hardening of each service. */
export const serviceHardening = {
  connector: {
    ...SHARED,
    DynamicUser: true,
    ProcSubset: 'pid',
    ProtectHome: true,
    ProtectProc: 'invisible',
    StateDirectoryMode: '0700',
  },
  agent: {
    ...SHARED,
    // ProtectKernelModules hides the directory of the installed kernels, and wins over a rule for the same path: so it is
    // shown elsewhere.
    BindReadOnlyPaths: `-/lib/modules:${KERNEL_MODULES}`,
    Environment: `${KERNEL_MODULES_VARIABLE}=${KERNEL_MODULES}`,
    // The filter of system calls keeps Node from raising it. The agent needs two files a service, and connections.
    LimitNOFILE: '4096',
    // It reports on the whole machine: /proc outside of processes, and the file systems below /home.
    ProcSubset: 'all',
    ProtectHome: 'read-only',
    ProtectProc: 'default',
    // A permanent account: dbus-daemon cannot look up dynamic ones, and refuses accounts that it cannot look up.
    User: 'homeport-agent',
  },
  userUnits: {
    ...ofRealAccount,
    PrivateNetwork: true,
    ProcSubset: 'pid',
    // Sockets below /run/user, which is empty for services that may not see homes at all.
    ProtectHome: 'read-only',
    ProtectProc: 'invisible',
    RestrictAddressFamilies: ['AF_UNIX'],
  },
  /**
   * Replaces directives of the agent: the kernel shows tunnel peers only to a process with this capability in its own
   * user namespace.
   */
  agentTunnelAccess: {
    AmbientCapabilities: 'CAP_NET_ADMIN',
    CapabilityBoundingSet: 'CAP_NET_ADMIN',
    PrivateUsers: false,
    RestrictAddressFamilies: ['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK'],
  },
} satisfies Record<string, Directives>;

/** Directives for start, stop and restart of each service. @see systemd.service(5) */
export const serviceLifecycle = {
  // A service is active when it listens. `notify-reload` would need systemd 253, and Debian 12 has 252.
  Type: 'notify',
  NotifyAccess: 'main',
  Restart: 'on-failure',
  RestartSec: '2',
  // A bad configuration stays bad: EX_CONFIG.
  RestartPreventExitStatus: '78',
  // A reload before the program can catch its signal ends it, and systemd takes that for a clean end.
  RestartForceExitStatus: 'SIGHUP',
  // The agent ends within 10 s of SIGTERM.
  TimeoutStopSec: '15',
} satisfies Directives;

/**
 * Directives of the section Unit. Without them systemd gives up a unit for good after more than five starts within ten
 * seconds. That happens if a person restarts one that fails every two seconds because its address or database is away.
 */
export const startLimits = { StartLimitIntervalSec: '0' } satisfies Directives;

/**
 * The connector brings its database up to date before it listens, which takes as long as the database is large. It ends
 * within 25 s of SIGTERM: for a while it still answers requests.
 */
export const connectorLifecycle = {
  ...serviceLifecycle,
  TimeoutStartSec: 'infinity',
  TimeoutStopSec: '30',
} satisfies Directives;
