import { GENERATED_HEADER } from './nix-options.ts';
import { indent, nixKey, nixValue } from './nix-text.ts';

/** Values of directives of systemd.exec(5); a list becomes a repeated directive. */
type Directives = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * What every service of ours may not do. Missing on purpose: MemoryDenyWriteExecute, because V8 writes the code it runs.
 * @see systemd.exec(5), systemd.resource-control(5)
 */
const SHARED: Directives = {
  AmbientCapabilities: '',
  CapabilityBoundingSet: '',
  DevicePolicy: 'closed',
  DynamicUser: true,
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

/** For a service that runs as somebody's account: that exists already, and its IPC objects belong to its other processes. */
const { DynamicUser: _made, RemoveIPC: _removed, ...ofRealAccount } = SHARED;

/** The hardening of each service. */
export const serviceHardening = {
  connector: {
    ...SHARED,
    ProcSubset: 'pid',
    ProtectHome: true,
    ProtectProc: 'invisible',
    StateDirectoryMode: '0700',
  },
  agent: {
    ...SHARED,
    // It reports on the whole machine: /proc outside of processes, and the file systems below /home.
    ProcSubset: 'all',
    ProtectHome: 'read-only',
    ProtectProc: 'default',
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
} satisfies Record<string, Directives>;

/** The table for the NixOS modules. */
export function hardeningFile(): string {
  const services = Object.entries(serviceHardening).map(([name, directives]) => {
    const lines = Object.entries<Directives[string]>(directives)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${nixKey(key)} = ${nixValue(typeof value === 'object' ? [...value] : value)};`);
    return `${name} = {\n${indent(lines.join('\n'))}\n};`;
  });
  return `${GENERATED_HEADER}{\n${indent(services.join('\n'))}\n}\n`;
}
