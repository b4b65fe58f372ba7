import * as z from 'zod';
import { Address, BaseUrl, ChannelName, FilePath, HttpUrl, LogLevel, Port, SecretFile } from './vocabulary.ts';

/** A name in PostgreSQL, which cuts longer ones. */
const PostgresName = z.string().min(1).max(63);

/** Login at the identity provider. */
const Login = z.string().min(1).max(255);

/** Where soju connects to: its own address forms; soju(1) `network create -addr`. */
const UpstreamAddress = z
  .string()
  .regex(/^(ircs|irc\+insecure):\/\/[^/ ]+$/, 'ircs://HOST:PORT or irc+insecure://HOST:PORT')
  .max(255);

/** Where the bouncer listens for its clients. */
const BouncerAddress = z
  .string()
  .regex(/^(irc\+insecure:\/\/[^/ ]+|unix:\/\/\/.+)$/, 'irc+insecure://HOST:PORT or unix:///PATH')
  .max(255);

/** IP address or network, as a proxy is told by. */
const ProxyAddress = z
  .string()
  .regex(/^[0-9a-fA-F.:]+(\/[0-9]{1,3})?$/, 'an IP address, or a network as ADDRESS/BITS')
  .max(64);

const Network = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/, 'letters, digits, dot, underscore and hyphen')
    .max(32)
    .default('main')
    .describe('Name of the network in the bouncer and in results.'),
  address: UpstreamAddress.describe('Address of the IRC server.').meta({ example: 'ircs://irc.libera.chat' }),
  unpaced: z
    .boolean()
    .default(false)
    .describe(
      'Whether the server announces `soju.im/SAFERATE`: lines are then sent as they come, not five at once and then one per two seconds. soju does not show its clients what the server announces.',
    ),
});

const Postgres = z.strictObject({
  host: Address.default('/run/postgresql').describe(
    'Name or address of the server, or the directory of its Unix socket. Not a pooler that shares connections between transactions.',
  ),
  port: Port.default(5432).describe('TCP port of the server; also part of the name of its socket.'),
  database: PostgresName.default('homeport-connector').describe('Name of the database. Its encoding must be UTF8.'),
  user: PostgresName.default('homeport-connector').describe(
    'Role that owns the database. On a Unix socket with peer authentication: the account the connector runs as.',
  ),
  passwordFile: SecretFile.optional().describe('File with the password of that role. Unset: the server asks for none.'),
  tls: z
    .enum(['off', 'verify'])
    .default('off')
    .describe('Whether connections are encrypted and the certificate of the server is verified.'),
  caFile: FilePath.optional().describe(
    'Certificates of the authorities that `tls` trusts, in PEM. Unset: those Node.js trusts.',
  ),
  poolSize: z
    .int()
    .min(1)
    .max(100)
    .default(8)
    .describe('Connections used at once, beside the one that keeps other processes out.'),
});

/** Configuration of `homeport-connector`. @spec connector#what-the-service-does */
export const connectorConfig = z.strictObject({
  $schema: z
    .string()
    .optional()
    .describe('Address of the JSON Schema, for editors.')
    .meta({ nix: { hidden: true } }),
  baseUrl: BaseUrl.describe(
    'Address under which people and agents reach the connector; also its OAuth issuer and resource.',
  ).meta({
    example: 'https://irc.example.org',
  }),
  listen: z
    .strictObject({
      address: Address.default('127.0.0.1').describe('Address to listen on.'),
      port: Port.default(8460).describe('TCP port to listen on.'),
    })
    .prefault({}),
  stateDirectory: FilePath.default('/var/lib/homeport-connector').describe(
    'Directory of what the connector makes for itself: signing and encryption keys, and the embedded database.',
  ),
  logLevel: LogLevel.default('info').describe('Least severe records written to standard error.').meta({ soft: true }),
  ircChannels: z
    .array(ChannelName)
    .min(1)
    .describe('Channels that the owner may grant to people.')
    .meta({ example: ['#homeport'] }),
  oauthRedirectUris: z
    .array(HttpUrl)
    .default([])
    .describe('Redirect URIs of the legacy action client, compared exactly.'),
  legacyClient: z
    .strictObject({
      id: z.string().min(1).max(128).describe('Client id of the one older, confidential action client.'),
      secretFile: SecretFile.describe('File with the secret of that client.'),
    })
    .optional()
    .describe('The older, confidential action client; its PKCE is optional. Unset: no such client.'),
  settings: z
    .strictObject({
      ownerLogins: z
        .array(Login)
        .min(1)
        .describe('Logins of the owners at the identity provider.')
        .meta({ example: ['ada'] }),
      maxUsers: z.int().min(1).max(10_000).default(20).describe('People who may have an account, owners among them.'),
    })
    .meta({ soft: true }),
  identityProvider: z
    .union([
      z.strictObject({
        oidc: z
          .strictObject({
            issuer: HttpUrl.describe('Issuer of the OpenID Connect provider people sign in with.').meta({
              example: 'https://id.example.org',
            }),
            clientId: z.string().min(1).max(255).describe('Client id registered for the connector there.'),
            clientSecretFile: SecretFile.describe('File with the client secret registered there.'),
            loginClaim: z.string().min(1).max(64).default('preferred_username').describe('Claim that holds the login.'),
          })
          .describe('An OpenID Connect provider.'),
      }),
    ])
    .describe('Where people sign in.'),
  bouncer: z
    .union([
      z.strictObject({
        soju: z
          .strictObject({
            adminSocket: FilePath.default('/run/soju/admin').describe("Path of soju's admin socket."),
            address: BouncerAddress.default('irc+insecure://127.0.0.1:6667').describe(
              "Address of soju's listener for IRC clients.",
            ),
            network: Network.describe('The IRC network every account is connected to.'),
            upstreamProbeSeconds: z
              .int()
              .min(1)
              .max(3_600)
              .default(60)
              .describe(
                'How often the IRC server is asked through the bouncer whether it still answers. After two answers missing, each awaited for half of this, it is connected to anew.',
              ),
            replayTimeoutSeconds: z
              .int()
              .min(1)
              .max(600)
              .default(30)
              .describe('How long soju may take to tell a page of what was missed, before the session begins anew.'),
            otherNetworks: z
              .array(Network)
              .default([])
              .describe('Further networks a person may choose instead.')
              .meta({ pending: true }),
          })
          .describe('The soju bouncer.'),
      }),
    ])
    .describe('The bouncer that keeps the IRC connections.'),
  database: z
    .union([
      z.strictObject({
        sqlite: z
          .strictObject({
            file: FilePath.optional().describe('Database file. Unset: `connector.db` in the state directory.'),
          })
          .describe('The embedded database: one file, nothing to run beside it.'),
      }),
      z.strictObject({ postgres: Postgres.describe('A PostgreSQL server, 13 or newer.') }),
    ])
    .default({ sqlite: {} })
    .describe('Where accounts, grants and history are kept.'),
  retention: z
    .strictObject({
      days: z.int().min(1).max(36_500).default(90).describe('Days an entry is kept.'),
      entriesPerAccount: z
        .int()
        .min(100)
        .max(10_000_000)
        .default(200_000)
        .describe('Entries kept per account, the newest.'),
    })
    .prefault({})
    .meta({ soft: true }),
  adminTokenFile: SecretFile.optional().describe(
    'File with the bearer token of the automation endpoints under /admin and of /metrics. Unset: they refuse every token.',
  ),
  rateLimits: z
    .strictObject({
      perClient: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(6_000)
        .describe('Requests a minute of one client of an account, over MCP and REST together.'),
      perAddress: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(600)
        .describe('Requests a minute of one address without an access token that holds; an IPv6 /56 is one address.'),
    })
    .prefault({})
    .meta({ soft: true }),
  trustedProxies: z
    .array(ProxyAddress)
    .default([])
    .describe(
      'Addresses or networks of proxies whose `X-Forwarded-For` is believed, for `rateLimits.perAddress`. None: the address a connection comes from counts.',
    )
    .meta({ example: ['127.0.0.1', '10.1.0.0/16'] }),
  metricsListen: z
    .strictObject({
      address: Address.default('127.0.0.1').describe('Address to serve the metrics on.'),
      port: Port.default(8461).describe('TCP port to serve the metrics on.'),
    })
    .optional()
    .describe(
      'Serve `/metrics` without a token at an address of its own, too, which only those who may see them can reach. Unset: with the admin token alone.',
    ),
  adminEvents: z
    .strictObject({
      enable: z
        .boolean()
        .default(false)
        .describe('Whether to serve the owner diagnostics at /admin/events.')
        .meta({ pending: true }),
    })
    .prefault({}),
});

export type ConnectorConfig = z.output<typeof connectorConfig>;
