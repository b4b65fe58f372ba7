import * as z from 'zod/mini';
import {
  BouncerAddress,
  CallbackHost,
  Github,
  Login,
  Network,
  OtherNetwork,
  Postgres,
  ProxyAddress,
  ProxyUrl,
  Subject,
} from './connector-values.ts';
import {
  Address,
  BaseUrl,
  ChannelName,
  described,
  FilePath,
  HttpUrl,
  LogLevel,
  Port,
  RedirectUri,
  refusedAt,
  SecretFile,
  SocketPath,
  WebOrigin,
} from './vocabulary.ts';

/** Addresses that stand for all addresses of the machine: of both families, or of IPv4 alone. */
const ALL_ADDRESSES = '::';
const ALL_IPV4 = '0.0.0.0';

interface Listening {
  address: string;
  port: number;
}

/** Whether two listeners would take the same port of an address. */
function collide(one: Listening, other: Listening): boolean {
  const addresses = [one.address, other.address];
  if (one.port !== other.port) return false;
  if (one.address === other.address || addresses.includes(ALL_ADDRESSES)) return true;
  return addresses.includes(ALL_IPV4) && !addresses.some((address) => address.includes(':'));
}

const options = z.strictObject({
  $schema: described(z.optional(z.string()), 'Address of the JSON Schema, for editors.', { nix: { hidden: true } }),
  baseUrl: described(
    BaseUrl,
    'Address under which people and agents reach the connector; also its OAuth issuer and resource.',
    {
      example: 'https://irc.example.org',
    },
  ),
  previousBaseUrl: described(
    z.optional(BaseUrl),
    'The `baseUrl` that this installation had before, to change it on purpose: without it a start on a database of another base address is refused. Of no effect once the connector has started with the new one.',
    { example: 'https://old.example.org' },
  ),
  listen: z.prefault(
    z.strictObject({
      address: described(z._default(Address, '127.0.0.1'), 'Address to listen on.'),
      port: described(z._default(Port, 8460), 'TCP port to listen on.'),
      drainSeconds: described(
        z._default(z.int().check(z.minimum(0), z.maximum(10)), 3),
        'How long connections are still accepted when the connector ends, while `/healthz` fails: longer than a proxy needs to notice that. Connections without a request are closed two seconds later. With 0 the connector ends at once, and requests may fail.',
      ),
    }),
    {},
  ),
  stateDirectory: described(
    z._default(FilePath, '/var/lib/homeport-connector'),
    'Directory of what the connector makes for itself: signing and encryption keys, and the embedded database.',
  ),
  keysFile: described(
    z.optional(SecretFile),
    'File with the signing and encryption keys, in the form of the `keys.json` that the connector makes in its state directory. Unset: that one.',
  ),
  logLevel: described(z._default(LogLevel, 'info'), 'Least severe records written to standard error.', { soft: true }),
  ircChannels: described(z.array(ChannelName).check(z.minLength(1)), 'Channels that the owner may grant to people.', {
    example: ['#homeport'],
  }),
  oauthRedirectUris: described(
    z._default(z.array(RedirectUri), []),
    'Redirect URIs of the legacy action client, compared exactly.',
  ),
  corsOrigins: described(
    z._default(z.array(WebOrigin), []),
    'Origins of web pages whose scripts may call `/mcp` from a browser, such as those of an inspector. Every page may read the metadata, register, get tokens and revoke them; none may use the pages of people or a cookie.',
    { soft: true, example: ['https://inspector.example.org'] },
  ),
  legacyClient: described(
    z.optional(
      z.strictObject({
        id: described(
          z.string().check(z.minLength(1), z.maxLength(128)),
          'Client id of the one older, confidential action client.',
        ),
        secretFile: described(SecretFile, 'File with the secret of that client.'),
      }),
    ),
    'The older, confidential action client; its PKCE is optional. Unset: no such client.',
  ),
  settings: z
    .strictObject({
      ownerLogins: described(
        z.array(Login),
        'Logins of the owners at the identity provider. At an OpenID Connect provider where people may edit the claim that holds the login (`preferred_username`, unless `identityProvider.oidc.loginClaim` names another), anyone who edits theirs becomes an owner: name owners by `ownerSubjects` there. May be empty if `ownerSubjects` is not.',
        { example: ['ada'] },
      ),
      ownerSubjects: described(
        z._default(z.array(Subject), []),
        'Owners by what never changes at the identity provider and never passes to another person: the claim `sub` of an OpenID Connect provider, the number of an account at GitHub. For these people it does not matter what their login is. Exact, in the case that the provider has.',
        { example: ['248289761001'] },
      ),
      maxUsers: described(
        z._default(z.int().check(z.minimum(1), z.maximum(10_000)), 20),
        'People who may have an account, owners among them.',
      ),
      personalTokens: described(
        z._default(z.boolean(), false),
        'Whether to let people make tokens in `/settings` for agents that have no browser, for up to a year. While it is off, tokens that were made before are refused.',
      ),
    })
    .check(
      z.meta({ soft: true }),
      refusedAt(
        ['ownerLogins'],
        'at least 1 owner, here or in settings.ownerSubjects',
        ({ ownerLogins, ownerSubjects }: { ownerLogins: string[]; ownerSubjects: string[] }) =>
          ownerLogins.length + ownerSubjects.length === 0 ? ownerLogins : undefined,
      ),
    ),
  identityProvider: described(
    z.union([
      z.strictObject({
        oidc: described(
          z.strictObject({
            issuer: described(HttpUrl, 'Issuer of the OpenID Connect provider people sign in with.', {
              example: 'https://id.example.org',
            }),
            clientId: described(
              z.string().check(z.minLength(1), z.maxLength(255)),
              'Client id registered for the connector there.',
            ),
            clientSecretFile: described(SecretFile, 'File with the client secret registered there.'),
            loginClaim: described(
              z._default(z.string().check(z.minLength(1), z.maxLength(64)), 'preferred_username'),
              'Claim that holds the login.',
            ),
          }),
          'An OpenID Connect provider.',
        ),
      }),
      z.strictObject({ github: described(Github, 'GitHub, or a service with the same sign-in.') }),
    ]),
    'Where people sign in.',
  ),
  bouncer: described(
    z.union([
      z.strictObject({
        soju: described(
          z.strictObject({
            adminSocket: described(z._default(SocketPath, '/run/soju/admin'), "Path of soju's admin socket."),
            address: described(
              z._default(BouncerAddress, 'irc+insecure://127.0.0.1:6667'),
              "Address of soju's listener for IRC clients.",
            ),
            network: described(Network, 'The IRC network of every account that has chosen no other one.'),
            upstreamProbeSeconds: described(
              z._default(z.int().check(z.minimum(1), z.maximum(3_600)), 60),
              'How often the IRC server is asked through the bouncer whether it still answers. After two answers missing, each awaited for half of this without a line of other people, it is connected to anew.',
            ),
            replayTimeoutSeconds: described(
              z._default(z.int().check(z.minimum(1), z.maximum(600)), 30),
              'How long soju may take to send a page of what was missed, before the session begins anew.',
            ),
            channelKeysFile: described(
              z.optional(SecretFile),
              'File with the keys of channels that let in only who has one (mode `+k`): a line for each, as `NETWORK #channel KEY`. SIGHUP reads it again; a changed key is used as soon as the channel asks for one. Unset: the connector has no keys.',
            ),
            otherNetworks: described(
              z._default(z.array(OtherNetwork), []),
              'Further networks that a person may choose instead, in the settings.',
            ),
          }),
          'The soju bouncer.',
        ),
      }),
    ]),
    'The bouncer that keeps the IRC connections.',
  ),
  database: described(
    z._default(
      z.union([
        z.strictObject({
          sqlite: described(
            z.strictObject({
              file: described(z.optional(FilePath), 'Database file. Unset: `connector.db` in the state directory.'),
            }),
            'The embedded database: one file, nothing to run beside it.',
          ),
        }),
        z.strictObject({ postgres: described(Postgres, 'A PostgreSQL server, 13 or newer.') }),
      ]),
      { sqlite: {} },
    ),
    'Where accounts, grants and history are kept.',
  ),
  retention: z
    .prefault(
      z.strictObject({
        days: described(z._default(z.int().check(z.minimum(1), z.maximum(36_500)), 90), 'Days an entry is kept.'),
        entriesPerAccount: described(
          z._default(z.int().check(z.minimum(100), z.maximum(10_000_000)), 200_000),
          'Entries kept per account, the newest.',
        ),
      }),
      {},
    )
    .check(z.meta({ soft: true })),
  adminTokenFile: described(
    z.optional(SecretFile),
    'File with the bearer token of the automation endpoints under /admin and of /metrics, at least 16 characters. Unset: they refuse every token.',
  ),
  rateLimits: z
    .prefault(
      z.strictObject({
        perClient: described(
          z._default(z.int().check(z.minimum(1), z.maximum(10_000_000)), 6_000),
          'Requests a minute of one client of an account, over MCP and REST together.',
        ),
        perAddress: described(
          z._default(z.int().check(z.minimum(1), z.maximum(10_000_000)), 600),
          'Requests a minute of one address without an access token that holds; an IPv6 /56 is one address. A twentieth of it may be registrations of clients.',
        ),
      }),
      {},
    )
    .check(z.meta({ soft: true })),
  trustedProxies: described(
    z._default(z.array(ProxyAddress), []),
    'Addresses or networks of proxies whose `X-Forwarded-For` is believed, for `rateLimits.perAddress`. None: the address a connection comes from counts.',
    { example: ['127.0.0.1', '10.1.0.0/16'] },
  ),
  metricsListen: described(
    z.optional(
      z.strictObject({
        address: described(z._default(Address, '127.0.0.1'), 'Address to serve the metrics on.'),
        port: described(z._default(Port, 8461), 'TCP port to serve the metrics on.'),
      }),
    ),
    'Serve `/metrics` without a token at an address of its own, too, which only those who may see them can reach. Unset: with the admin token alone.',
  ),
  events: z.prefault(
    z.strictObject({
      allowCallbackHosts: described(
        z._default(z.array(CallbackHost), []),
        'Hosts of event callbacks that need not have public addresses: receivers inside your own network. Only for one that is this machine (localhost, 127.0.0.1, ::1) plain http is accepted, too. Whoever may subscribe can reach every port of these hosts.',
        { example: ['hooks.internal.example.org'] },
      ),
      callbackCaFile: described(
        z.optional(FilePath),
        'Certificates of authorities that event callbacks may be signed by, in PEM, beside those Node.js trusts. Unset: only those.',
      ),
    }),
    {},
  ),
  oauth: z.prefault(
    z.strictObject({
      clientDocuments: described(
        z._default(z.boolean(), true),
        'Whether to take clients that describe themselves at an https address, as Claude Code and Codex do, which the connector then fetches. Without a way to the Internet turn it off: then such clients register instead, if they can.',
      ),
    }),
    {},
  ),
  outboundProxy: described(
    z.optional(
      z.strictObject({
        url: described(ProxyUrl, 'Address of the proxy.', { example: 'http://proxy.internal.example.org:3128' }),
        credentialsFile: described(
          z.optional(SecretFile),
          'File with the user and the password for it, as USER:PASSWORD. Unset: it asks for none.',
        ),
        noProxy: described(
          z._default(z.array(CallbackHost), []),
          'Hosts that are reached without it, with all names below them.',
          { example: ['id.internal.example.org'] },
        ),
      }),
    ),
    'HTTP proxy by which encrypted requests leave: for documents of clients, event callbacks and the identity provider. It is asked for vetted addresses, so this machine must be able to look up the names of callbacks and documents. Hosts in `events.allowCallbackHosts` and this machine itself are reached without it. Unset: the proxy that `HTTPS_PROXY` names in the environment, except for hosts in `NO_PROXY`; without that none.',
  ),
  adminEvents: z.prefault(
    z.strictObject({
      enable: described(z._default(z.boolean(), false), 'Whether to serve the owner diagnostics at /admin/events.'),
    }),
    {},
  ),
});

/** Configuration of `homeport-connector`. @spec connector#what-the-service-does */
export const connectorConfig = options.check(
  refusedAt(
    ['oauthRedirectUris'],
    'at least 1 redirect URI, because there is a legacyClient',
    ({ legacyClient, oauthRedirectUris }) =>
      legacyClient !== undefined && oauthRedirectUris.length === 0 ? oauthRedirectUris : undefined,
  ),
  refusedAt(['bouncer', 'soju', 'otherNetworks'], 'networks of different names', ({ bouncer: { soju } }) => {
    const names = [soju.network, ...soju.otherNetworks].map(({ name }) => name);
    return names.find((name, index) => names.indexOf(name) !== index);
  }),
  refusedAt(
    ['metricsListen', 'port'],
    'a port other than listen.port, or another address',
    ({ listen, metricsListen }) =>
      metricsListen !== undefined && collide(listen, metricsListen) ? metricsListen.port : undefined,
  ),
);

export type ConnectorConfig = z.output<typeof connectorConfig>;
