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
    // Node may not raise it itself, as it does without a filter of system calls: two files a service, and connections.
    LimitNOFILE: '4096',
    // It reports on the whole machine: /proc outside of processes, and the file systems below /home.
    ProcSubset: 'all',
    ProtectHome: 'read-only',
    // It would hide /usr/lib/modules, where the installed kernels are. The rest of it, no loading of modules, follows from
    // the capabilities and system calls that the agent lacks.
    ProtectKernelModules: false,
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
  Type: 'exec',
  Restart: 'on-failure',
  RestartSec: '2',
  // A bad configuration stays bad: EX_CONFIG.
  RestartPreventExitStatus: '78',
  // A reload that comes before the program can catch its signal ends it; systemd takes that end for a wanted one.
  RestartForceExitStatus: 'SIGHUP',
  // The program ends within 10 s of SIGTERM.
  TimeoutStopSec: '15',
} satisfies Directives;
