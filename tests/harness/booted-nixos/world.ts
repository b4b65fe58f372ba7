import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluatedSystem } from '../nix/nix.ts';
import { hookIn } from '../nix/soju-hook.ts';
import { MASTER_CF, mainCf } from '../start-postfix.ts';
import { REPOSITORY_INSIDE } from '../systemd-container.ts';
import { facts } from './facts.ts';

/** Units and files below the root directory, as `bootSystemd` takes them. */
export interface World {
  units: Record<string, string>;
  files: Record<string, string>;
  /** Files that are programs. */
  programs: string[];
}

export const SOJU_CONFIG = '/etc/soju/config';
const SHARE_SOCKETS = '/etc/soju/share-sockets';
const ENSURE = '/etc/postgresql/ensure';
const POSTFIX_FOLDER = '/var/lib/postfix';

const unit = (service: string, head = ''): string => `[Unit]\n${head}\n[Service]\n${service.trim()}\n`;
const together = (...worlds: World[]): World => ({
  units: Object.assign({}, ...worlds.map(({ units }) => units)),
  files: Object.assign({}, ...worlds.map(({ files }) => files)),
  programs: worlds.flatMap(({ programs }) => programs),
});

/** The servers that the evaluated options configure, with units as those of nixpkgs' modules, which are not on this machine. */
export const worldOf = (system: EvaluatedSystem): World =>
  together(soju(system), postgresql(system), caddy(system), knot(), postfix(), userManager(), outside());

/** The bouncer: the unit of nixpkgs, with what our module adds to it. */
function soju({ soju: { listen, extraConfig }, units }: EvaluatedSystem): World {
  const { script, directives } = hookIn(units);
  const lines = [...listen.map((address) => `listen ${address}`), 'listen unix+admin:///run/soju/admin'];
  return {
    units: {
      'soju.service': unit(`DynamicUser=true
Restart=always
RuntimeDirectory=soju
StateDirectory=soju
WorkingDirectory=/var/lib/soju
ExecStart=/usr/bin/soju -config ${SOJU_CONFIG}
ExecStartPost=${SHARE_SOCKETS}
${directives}`),
    },
    files: {
      [SOJU_CONFIG]: `${lines.join('\n')}\nhostname bouncer.example.org\ndb sqlite3 /var/lib/soju/soju.db\n${extraConfig}\n`,
      [SHARE_SOCKETS]: `#!/bin/bash\n${script}`,
    },
    programs: [SHARE_SOCKETS],
  };
}

function postgresql({ postgresql: { ensureDatabases, ensureUsers }, scripts }: EvaluatedSystem): World {
  const versions = '/usr/lib/postgresql';
  const programs = join(versions, readdirSync(versions).sort().at(-1) ?? '', 'bin');
  const owned = ensureUsers.filter(({ ensureDBOwnership }) => ensureDBOwnership).map(({ name }) => name);
  const commands = [
    ...ensureUsers.map(({ name }) => `CREATE ROLE "${name}" LOGIN`),
    ...ensureDatabases.map((name) => `CREATE DATABASE "${name}"${owned.includes(name) ? ` OWNER "${name}"` : ''}`),
  ];
  const data = '/var/lib/postgresql/data';
  return {
    units: {
      'postgresql.service': unit(`Type=notify
User=postgres
StateDirectory=postgresql
RuntimeDirectory=postgresql
ExecStartPre=${programs}/initdb -D ${data} --auth=peer --no-sync --encoding=UTF8 --locale=C.UTF-8
ExecStart=${programs}/postgres -D ${data} -k /run/postgresql -c listen_addresses= -c fsync=off
ExecStartPost=${ENSURE}`),
      'postgresql.target': '[Unit]\nRequires=postgresql.service\nAfter=postgresql.service\n',
    },
    files: {
      [ENSURE]: [
        ...['#!/bin/sh', 'set -e', 'export PGHOST=/run/postgresql'],
        ...commands.map((sql) => `psql -d postgres -c '${sql}'`),
        scripts['postgresql-setup'] ?? '',
      ].join('\n'),
    },
    programs: [ENSURE],
  };
}

/** With an authority of its own: there is no public one to ask. */
function caddy({ caddy: { virtualHosts } }: EvaluatedSystem): World {
  const sites = Object.entries(virtualHosts as Record<string, { extraConfig: string }>).map(
    ([name, { extraConfig }]) => `${name} {\n${extraConfig}\n}\n`,
  );
  const head = '{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tstorage file_system /var/lib/caddy\n}\n';
  return {
    units: {
      'caddy.service': unit(`StateDirectory=caddy
Environment=HOME=/var/lib/caddy
ExecStart=/usr/bin/caddy run --config /etc/caddy/Caddyfile --adapter caddyfile`),
    },
    files: { '/etc/caddy/Caddyfile': head + sites.join('') },
    programs: [],
  };
}

function knot(): World {
  const config = `server:
    rundir: "/run/knot"
    listen: 127.0.0.1@5353
log:
  - target: stderr
    any: warning
database:
    storage: "/var/lib/knot"
zone:
  - domain: example
    storage: "/var/lib/knot"
    file: "/etc/knot/example.zone"
`;
  return {
    units: {
      'knot.service': unit(`User=knot
RuntimeDirectory=knot
StateDirectory=knot
UMask=0007
ExecStart=/usr/sbin/knotd -c /etc/knot/knot.conf`),
    },
    files: {
      '/etc/knot/knot.conf': config,
      '/etc/knot/example.zone': '@ 60 SOA ns.example. admin.example. 7 2 1 600 60\n@ 60 NS ns.example.\n',
    },
    programs: [],
  };
}

function postfix(): World {
  return {
    units: {
      'postfix.service': unit(`Type=forking
ExecStartPre=/bin/sh -c 'mkdir -p ${POSTFIX_FOLDER}/queue ${POSTFIX_FOLDER}/data && chown postfix ${POSTFIX_FOLDER}/data'
ExecStart=/usr/sbin/postfix start`),
      // This masks Debian's own unit, which its generator adds.
      'postfix@-.service': '->/dev/null',
    },
    files: {
      '/etc/postfix/main.cf': mainCf(POSTFIX_FOLDER),
      '/etc/postfix/master.cf': MASTER_CF,
      // The list of its directories, which belongs to the package.
      '/etc/postfix/postfix-files': readFileSync('/etc/postfix/postfix-files', 'utf8'),
    },
    programs: [],
  };
}

/** The service manager of the account whose units are requested, with one unit; logind starts it elsewhere. */
function userManager(): World {
  return {
    units: {
      'manager-of-ada.service': unit(`Type=notify
User=ada
Delegate=yes
RuntimeDirectory=user/ada
ExecStartPre=+/bin/sh -c 'mkdir -p /run/user/$$(id -u ada) && chown ada /run/user/$$(id -u ada) && chmod 700 /run/user/$$(id -u ada)'
ExecStart=/bin/sh -c 'XDG_RUNTIME_DIR=/run/user/$$(id -u) exec /usr/lib/systemd/systemd --user --unit=wanted.target'`),
    },
    files: {
      '/etc/systemd/user/wanted.target': '[Unit]\nDefaultDependencies=no\nWants=asked.service\n',
      '/etc/systemd/user/asked.service': '[Unit]\nDefaultDependencies=no\n[Service]\nExecStart=/bin/sleep infinity\n',
    },
    programs: [],
  };
}

/** An identity provider and an IRC server, which are somewhere on the internet. */
function outside(): World {
  const { port, clientId } = facts.identityProvider;
  const provider = {
    port,
    clientId,
    clientSecret: facts.secrets['oidc-client-secret'],
    redirectUri: `${facts.baseUrl}/login/idp/callback`,
  };
  const scripts = `${REPOSITORY_INSIDE}/scripts/stack`;
  return {
    units: {
      'identity-provider.service': unit(`DynamicUser=true
Environment='IDENTITY_PROVIDER=${JSON.stringify(provider)}'
ExecStart=${REPOSITORY_INSIDE}/node_modules/.bin/node ${scripts}/identity-provider-main.ts`),
      'irc-network.service':
        unit(`ExecStart=${REPOSITORY_INSIDE}/node_modules/.bin/node ${REPOSITORY_INSIDE}/tests/harness/booted-nixos/irc-network.ts
StateDirectory=irc-network`),
    },
    files: {},
    programs: [],
  };
}
