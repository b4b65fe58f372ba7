import * as z from 'zod';
import { Address, FilePath, LogLevel, Port, SecretFile } from './vocabulary.ts';

/** WireGuard public key: 32 bytes in base64. */
const PublicKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'a WireGuard public key: 43 characters of base64 and =');

/** Account of the machine; passwd(5). */
const AccountName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, 'the name of an account')
  .max(63);

const wgPeers = z.record(z.string().min(1).max(63), PublicKey);

/** What is collected. Every option has a default, and a reload applies a change. */
const collected = z.strictObject({
  unameInfo: z
    .boolean()
    .default(false)
    .describe('Whether to expose `node_uname_info`, which carries the host name. Common dashboards select hosts by it.')
    .meta({ soft: true }),
  networkFilesystems: z
    .boolean()
    .default(false)
    .describe(
      'Whether to report mounted file systems of other machines too, such as NFS and SMB. One whose server does not answer is left out and named.',
    )
    .meta({ soft: true }),
  wireguard: z
    .boolean()
    .default(true)
    .describe('Whether to report the peers of WireGuard tunnels.')
    .meta({ soft: true }),
  wgPeers: wgPeers
    .default({})
    .describe('Host names by which tunnel peers are labelled, each with its public key; wins over `hosts.wgPeers`.')
    .meta({ soft: true }),
  postfix: z.boolean().default(false).describe('Whether to report the mail queue of Postfix.').meta({ soft: true }),
  knot: z.boolean().default(false).describe('Whether to report the zones of the Knot DNS server.').meta({ soft: true }),
  knotSocket: FilePath.default('/run/knot/knot.sock')
    .describe('Control socket of the Knot DNS server.')
    .meta({ soft: true }),
});

const hosts = z
  .strictObject({
    wgPeers: wgPeers
      .default({})
      .describe('Host names of all tunnel peers, each with its public key; shared by the hosts of one network.'),
  })
  .prefault({})
  .meta({ soft: true });

/** The part of the configuration that says what is collected. `{}` is a whole one: what an agent without a configuration collects. */
export const collectionConfig = z.object({ agent: collected.prefault({}), hosts });

export type CollectionConfig = z.output<typeof collectionConfig>;

/** Configuration of `homeport-agent`. @spec agent#resources-and-their-fields */
export const agentConfig = z.strictObject({
  $schema: z
    .string()
    .optional()
    .describe('Address of the JSON Schema, for editors.')
    .meta({ nix: { hidden: true } }),
  agent: z.strictObject({
    listen: z
      .strictObject({
        address: Address.default('127.0.0.1').describe(
          'Address to listen on; that of a private tunnel in a network of hosts.',
        ),
        port: Port.default(9105).describe('TCP port to listen on.'),
        unix: FilePath.optional().describe(
          'Unix socket to listen on in place of address and port. A socket that systemd passes wins over all of them.',
        ),
      })
      .prefault({}),
    userUnits: z
      .strictObject({
        user: AccountName.optional().describe(
          "Account whose service manager is asked about each `userUnit` of a request; unset, the agent's own.",
        ),
        socket: FilePath.default('/run/homeport-user-units/socket').describe(
          'Unix socket at which `homeport-agent user-units` answers, started by systemd as that account.',
        ),
      })
      .prefault({}),
    tokenFile: SecretFile.describe('File with the bearer token that the hub and Prometheus present.'),
    logLevel: LogLevel.default('info').describe('Least severe records written to standard error.'),
    ...collected.shape,
  }),
  hosts,
});

export type AgentConfig = z.output<typeof agentConfig>;
