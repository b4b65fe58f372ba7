import * as z from 'zod/mini';
import { described, FilePath, fitsSocket, Port, SecretFile, ServerHost, textLike } from './vocabulary.ts';

/** A name in PostgreSQL, which truncates longer ones. */
const PostgresName = z.string().check(z.minLength(1), z.maxLength(63));

/** Login at the identity provider. */
export const Login = z.string().check(z.minLength(1), z.maxLength(255));

/** Address of an IRC server in soju's own forms; soju(1) `network create -addr`. */
const UpstreamAddress = z
  .string()
  .check(
    z.regex(/^(ircs|irc\+insecure):\/\/[^/ ]+$/, 'ircs://HOST:PORT or irc+insecure://HOST:PORT'),
    z.maxLength(255),
  );

/** Address on which the bouncer listens for its clients. */
export const BouncerAddress = z.string().check(
  z.regex(/^(irc\+insecure:\/\/[^/ ]+|unix:\/\/\/.+)$/, 'irc+insecure://HOST:PORT or unix:///PATH'),
  z.maxLength(255),
  z.refine(
    (address) => !address.startsWith('unix:') || fitsSocket(address.slice('unix://'.length)),
    'irc+insecure://HOST:PORT or unix:///PATH with at most 107 bytes of path, which is the room for the name of a socket',
  ),
);

const IPV4 =
  /((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\/([1-9]|[12][0-9]|3[0-2]))?/;
const IPV6 = /[0-9a-fA-F:]*:[0-9a-fA-F:.]+(\/([1-9][0-9]?|1[01][0-9]|12[0-8]))?/;

/** Whether a text is an IPv6 address. Among forms with dots only IPv4-mapped addresses are understood everywhere. */
const isIpv6 = (address: string): boolean =>
  URL.canParse(`http://[${address}]`) && (!address.includes('.') || /^::ffff:[0-9.]+$/i.test(address));

/** IP address or network of a proxy. A network of 0 bits would contain every address. */
export const ProxyAddress = textLike(
  new RegExp(`^(${IPV4.source}|${IPV6.source})$`),
  'an IP address, or a network as ADDRESS/BITS with 1 to 32 bits, in IPv6 to 128',
  64,
  (text) => !text.includes(':') || isIpv6(text.replace(/\/.*/, '')),
);

/** Identifier of a person at the identity provider. @see OpenID Connect Core §2, `sub` */
export const Subject = z.string().check(z.minLength(1), z.maxLength(255));

/** Address of a proxy. Its credentials are not part of it: they are in a file. */
export const ProxyUrl = z
  .string()
  .check(
    z.regex(/^https?:\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?\/?$/, 'http://HOST:PORT'),
    z.maxLength(255),
  );

/** Host of a callback, as people write it. */
export const CallbackHost = textLike(
  /^[A-Za-z0-9._:-]+$/,
  'a host name or an IP address, without port and brackets',
  253,
  (text) => (text.includes(':') ? isIpv6(text) : URL.canParse(`https://${text}`)),
);

/** Address of a service that people sign in with. Plain http stays on the machine. */
const ProviderAddress = textLike(
  /^(https:\/\/[^/?#@ ]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?)(\/[^?# ]*[^?# /])?$/,
  'an https address without a slash at the end (http only on 127.0.0.1, localhost or [::1])',
  2048,
  (text) => /^[!-~]+$/.test(text) && URL.canParse(text),
);

/** GitHub as identity provider. It has no issuer with metadata, so the addresses of its parts follow from these two. */
export const Github = z.strictObject({
  url: described(
    z._default(ProviderAddress, 'https://github.com'),
    'Address of the service, without a slash at the end: GitHub, a GitHub Enterprise Server, a Forgejo or a Gitea.',
  ),
  apiUrl: described(
    z.optional(ProviderAddress),
    'Address of its API. Unset: `https://api.github.com` for github.com, elsewhere `url` and `/api/v3`, as GitHub Enterprise Server has it.',
    { example: 'https://git.example.org/api/v1' },
  ),
  clientId: described(
    z.string().check(z.minLength(1), z.maxLength(255)),
    'Client id of the OAuth app that is registered for the connector there.',
  ),
  clientSecretFile: described(SecretFile, 'File with a client secret of that app.'),
});

const NetworkName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]+$/, 'letters, digits, dot, underscore and hyphen'), z.maxLength(32));

/** Options of every network besides its name. */
const connection = {
  address: described(UpstreamAddress, 'Address of the IRC server.', { example: 'ircs://irc.libera.chat' }),
  unpaced: described(
    z._default(z.boolean(), false),
    'Whether the server announces `soju.im/SAFERATE`: lines are then sent as they come, not five at once and then one per two seconds. soju does not show its clients what the server announces.',
  ),
};

export const Network = z.strictObject({
  name: described(z._default(NetworkName, 'main'), 'Name of the network in the bouncer and in results.'),
  ...connection,
});

export const OtherNetwork = z.strictObject({
  name: described(NetworkName, 'Name of the network in the bouncer and in results; each has one of its own.', {
    example: 'oftc',
  }),
  ...connection,
});

export const Postgres = z.strictObject({
  host: described(
    z._default(ServerHost, '/run/postgresql'),
    'Name or address of the server, or the directory of its Unix socket. Not a pooler that shares connections between transactions.',
  ),
  port: described(z._default(Port, 5432), 'TCP port of the server; also part of the name of its socket.'),
  database: described(
    z._default(PostgresName, 'homeport-connector'),
    'Name of the database. Its encoding must be UTF8.',
  ),
  user: described(
    z._default(PostgresName, 'homeport-connector'),
    'Role that owns the database. On a Unix socket with peer authentication: the account the connector runs as.',
  ),
  passwordFile: described(
    z.optional(SecretFile),
    'File with the password of that role. Unset: the server asks for none.',
  ),
  tls: described(
    z._default(z.enum(['off', 'verify']), 'off'),
    'Whether connections are encrypted and the certificate of the server is verified.',
  ),
  caFile: described(
    z.optional(FilePath),
    'Certificates of the authorities that `tls` trusts, in PEM. Unset: those Node.js trusts.',
  ),
  poolSize: described(
    z._default(z.int().check(z.minimum(1), z.maximum(100)), 8),
    'Connections used at once, beside the one that keeps other processes out.',
  ),
  standby: described(
    z._default(z.boolean(), false),
    'Whether this process serves nothing while another one has the database, and only waits to take over from it. Off: every process on the database serves all requests, and a balancer may choose any of them.',
  ),
});
