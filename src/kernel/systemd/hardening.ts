/** Values of directives of systemd.exec(5); a list becomes a repeated directive. */
export type Directives = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * What every service of ours may not do. Missing on purpose: MemoryDenyWriteExecute, because V8 writes the code it runs.
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

/** For a service that runs as somebody's account: its IPC objects belong to its other processes. */
const { RemoveIPC: _removed, ...ofRealAccount } = SHARED;

/** Names to the agent the one directory with what `/lib/modules` holds; without it, it looks there itself. */
export const KERNEL_MODULES_VARIABLE = 'HOMEPORT_KERNEL_MODULES';

/** Root alone may write beside it, so that no account can show other kernels. */
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
    // Node may not raise it itself, as it does without a filter of system calls: two files a service, and connections.
    LimitNOFILE: '4096',
    // It reports on the whole machine: /proc outside of processes, and the file systems below /home.
    ProcSubset: 'all',
    ProtectHome: 'read-only',
    ProtectProc: 'default',
    // Not a dynamic account: dbus-daemon cannot look those up, and lets nobody in whom it cannot look up.
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
  /** In place of some of the agent's: the kernel shows tunnel peers to nobody without this capability in its own user namespace. */
  agentTunnelAccess: {
    AmbientCapabilities: 'CAP_NET_ADMIN',
    CapabilityBoundingSet: 'CAP_NET_ADMIN',
    PrivateUsers: false,
    RestrictAddressFamilies: ['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK'],
  },
} satisfies Record<string, Directives>;

/** How each service starts, ends and is started again. @see systemd.service(5) */
export const serviceLifecycle = {
  // Active means that it listens. Not `notify-reload`, which systemd knows from version 253 on: Debian 12 has 252.
  Type: 'notify',
  NotifyAccess: 'main',
  Restart: 'on-failure',
  RestartSec: '2',
  // A bad configuration stays bad: EX_CONFIG.
  RestartPreventExitStatus: '78',
  // A reload that comes before the program can catch its signal ends it; systemd takes that end for a wanted one.
  RestartForceExitStatus: 'SIGHUP',
  // The agent ends within 10 s of SIGTERM.
  TimeoutStopSec: '15',
} satisfies Directives;

/**
 * The connector brings its database up to date before it listens, which takes as long as the database is large. It ends
 * within 25 s of SIGTERM: for a while it answers requests on.
 */
export const connectorLifecycle = {
  ...serviceLifecycle,
  TimeoutStartSec: 'infinity',
  TimeoutStopSec: '30',
} satisfies Directives;
