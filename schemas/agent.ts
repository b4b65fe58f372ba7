import * as z from 'zod/mini';
import { Address, described, LogLevel, Port, RegularExpression, SecretFile, SocketPath } from './vocabulary.ts';

/** WireGuard public key: 32 bytes in base64. */
const PublicKey = z
  .string()
  .check(z.regex(/^[A-Za-z0-9+/]{43}=$/, 'a WireGuard public key: 43 characters of base64 and ='));

/** Account of the machine; passwd(5). */
const AccountName = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, 'the name of an account'), z.maxLength(63));

const wgPeers = z.record(z.string().check(z.minLength(1), z.maxLength(63)), PublicKey);

/** Options of the collectors. Every one has a default, and a reload applies a change. */
const collected = z.strictObject({
  unameInfo: described(
    z._default(z.boolean(), false),
    'Whether to expose `node_uname_info`, which carries the host name. Common dashboards select hosts by it.',
    { soft: true },
  ),
  networkFilesystems: described(
    z._default(z.boolean(), false),
    'Whether to report mounted file systems of other machines too, such as NFS and SMB. One whose server does not answer is left out and named.',
    { soft: true },
  ),
  exclude: z
    .prefault(
      z.strictObject({
        mountPoints: described(
          z.optional(RegularExpression),
          'Regular expression for mount points of file systems that are left out, such as `^/mnt/backup($|/)`.',
        ),
        filesystemTypes: described(
          z.optional(RegularExpression),
          'Regular expression for types of file systems that are left out, such as `^(vfat|fuseblk)$`.',
        ),
        devices: described(
          z.optional(RegularExpression),
          'Regular expression for block devices whose counters are left out, such as `^dm-`.',
        ),
        interfaces: described(
          z.optional(RegularExpression),
          'Regular expression for network interfaces that are left out, such as `^(br-|docker)`.',
        ),
      }),
      {},
    )
    .check(z.meta({ soft: true })),
  wireguard: described(z._default(z.boolean(), true), 'Whether to report the peers of WireGuard tunnels.', {
    soft: true,
  }),
  wgPeers: described(
    z._default(wgPeers, {}),
    'Host names by which tunnel peers are labelled, each with its public key; wins over `hosts.wgPeers`.',
    { soft: true },
  ),
  postfix: described(z._default(z.boolean(), false), 'Whether to report the mail queue of Postfix.', { soft: true }),
  knot: described(z._default(z.boolean(), false), 'Whether to report the zones of the Knot DNS server.', {
    soft: true,
  }),
  knotSocket: described(z._default(SocketPath, '/run/knot/knot.sock'), 'Control socket of the Knot DNS server.', {
    soft: true,
  }),
});

const hosts = z
  .prefault(
    z.strictObject({
      wgPeers: described(
        z._default(wgPeers, {}),
        'Host names of all tunnel peers, each with its public key; shared by the hosts of one network.',
      ),
    }),
    {},
  )
  .check(z.meta({ soft: true }));

/**
 * The options of the collectors as a configuration of their own. `{}` is a complete one, for an agent without a
 * configuration.
 */
export const collectionConfig = z.object({ agent: z.prefault(collected, {}), hosts });

export type CollectionConfig = z.output<typeof collectionConfig>;

/** Configuration of `homeport-agent`. @spec agent#resources-and-their-fields */
export const agentConfig = z.strictObject({
  $schema: described(z.optional(z.string()), 'Address of the JSON Schema, for editors.', { nix: { hidden: true } }),
  agent: z.strictObject({
    listen: z.prefault(
      z.strictObject({
        address: described(
          z._default(Address, '127.0.0.1'),
          'Address to listen on; that of a private tunnel in a network of hosts.',
        ),
        port: described(z._default(Port, 9105), 'TCP port to listen on.'),
        unix: described(
          z.optional(SocketPath),
          'Unix socket to listen on in place of address and port. A socket that systemd passes wins over all of them.',
        ),
      }),
      {},
    ),
    userUnits: z.prefault(
      z.strictObject({
        user: described(
          z.optional(AccountName),
          "Account whose service manager is asked about each `userUnit` of a request; unset, the agent's own.",
        ),
        socket: described(
          z._default(SocketPath, '/run/homeport-user-units/socket'),
          'Unix socket at which `homeport-agent user-units` answers, started by systemd as that account.',
        ),
      }),
      {},
    ),
    tokenFile: described(SecretFile, 'File with the bearer token that the hub and Prometheus present.'),
    logLevel: described(z._default(LogLevel, 'info'), 'Least severe records written to standard error.'),
    ...collected.shape,
  }),
  hosts,
});

export type AgentConfig = z.output<typeof agentConfig>;
