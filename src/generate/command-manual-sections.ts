/** Sections of a service's manual page besides its commands; texts are in the markup of `manualText`. */
export interface ServiceSections {
  /** Paragraphs. */
  description: readonly string[];
  signals: readonly (readonly [signal: string, text: string])[];
  environment: readonly (readonly [variable: string, text: string])[];
  files: readonly (readonly [file: string, text: string])[];
  examples: readonly { text: string; lines: readonly string[] }[];
  /** Pages of manual, as the macro wants them. */
  seeAlso: readonly string[];
}

const CREDENTIALS: ServiceSections['environment'][number] = [
  'CREDENTIALS_DIRECTORY',
  'Where systemd puts secret files; `$CREDENTIALS_DIRECTORY/` at the beginning of a path in the configuration stands for it.',
];

const NOTIFY: ServiceSections['environment'][number] = [
  'NOTIFY_SOCKET',
  'Where systemd expects the message that the service listens (`Type=notify`).',
];

export const CONNECTOR_SECTIONS: ServiceSections = {
  description: [
    "homeport-connector is a service between AI agents and IRC. It holds one account for each person at a soju bouncer that it manages, keeps the history of the channels that the person has enabled, and lets the person's agents read, search and speak there.",
    'Agents reach it by the Model Context Protocol at `/mcp`, by a REST interface, and are woken by signed webhooks. People sign in with an OpenID Connect provider or GitHub, choose channels at `/settings`, and decide there which agents may act for them. The connector is the OAuth 2.0 authorization server of its agents.',
    'Without a command it runs the service. It speaks HTTP on a port of the loopback interface; a proxy such as nginx or Caddy in front of it speaks TLS.',
  ],
  signals: [
    [
      'SIGTERM',
      'Ends the service: `/healthz` fails at once, what is under way is answered, and then the port is closed. The end takes at most 25 seconds. SIGINT does the same.',
    ],
    [
      'SIGHUP',
      'Reads the configuration and the secret files again. The log names the options that changed, and those that need a restart.',
    ],
  ],
  environment: [
    CREDENTIALS,
    NOTIFY,
    [
      'HTTPS_PROXY , NO_PROXY',
      'A proxy for requests to the Internet, and the hosts that are asked without it, unless `outboundProxy` of the configuration says otherwise.',
    ],
  ],
  files: [
    [
      '/var/lib/homeport-connector/connector.db',
      'The embedded database, unless the configuration names PostgreSQL or another file.',
    ],
    [
      '/var/lib/homeport-connector/keys.json',
      'Keys of signatures and of what is stored encrypted; keep a copy apart from the database.',
    ],
  ],
  examples: [
    {
      text: 'Make the service, after filling in the configuration that the first call writes:',
      lines: ['sudo homeport-connector install-units'],
    },
    { text: 'See whether everything that the service needs is there:', lines: ['sudo homeport-connector doctor'] },
    {
      text: 'Let a person in, with two channels:',
      lines: ['sudo homeport-connector invite alice --channels homeport,help'],
    },
    {
      text: 'Make a backup while the service runs:',
      lines: ['sudo homeport-connector backup --to /backup/today'],
    },
    {
      text: 'Move an installation to PostgreSQL, after a look at what would happen:',
      lines: [
        'sudo homeport-connector migrate --dry-run \\',
        '    --from sqlite:/var/lib/homeport-connector/connector.db --to postgres:',
      ],
    },
  ],
  seeAlso: ['homeport-agent 1', 'soju 1', 'systemctl 1'],
};

export const AGENT_SECTIONS: ServiceSections = {
  description: [
    'homeport-agent reports the state of the machine it runs on: load, memory, file systems, disks, network, temperatures, failed units, and, where the configuration asks for it, the mail queue of Postfix, the zones of Knot and the peers of WireGuard tunnels.',
    'As a service it answers `/v1/report` with one JSON document for a hub, `/metrics` for Prometheus under the names of node_exporter, and `/healthz`. The first two want a token. What can’t be read costs its own section only, and the report says why.',
    'Without a command it runs the service.',
  ],
  signals: [
    ['SIGTERM', 'Ends the service after the answers that are under way. SIGINT does the same.'],
    [
      'SIGHUP',
      'Reads the configuration and the token again. The log names the options that changed, and those that need a restart.',
    ],
  ],
  environment: [CREDENTIALS, NOTIFY],
  files: [['/etc/homeport/agent.token', 'The token that a hub and Prometheus show; `install-units` makes it.']],
  examples: [
    { text: 'Make the service:', lines: ['sudo homeport-agent install-units'] },
    { text: 'Look at this machine, as a table:', lines: ['homeport-agent report'] },
    {
      text: 'Ask the service, as a hub does:',
      lines: [
        'curl -H "Authorization: Bearer $(sudo cat /etc/homeport/agent.token)" \\',
        '    http://127.0.0.1:9105/v1/report',
      ],
    },
  ],
  seeAlso: ['homeport-connector 1', 'systemctl 1'],
};

/** Smallest valid configuration of each program; a test validates them by the schemas. */
export const LEAST_CONFIGURATIONS = {
  connector: `{
  "baseUrl": "https://connector.example.org",
  "ircChannels": ["#homeport"],
  "settings": { "ownerLogins": ["alice"] },
  "identityProvider": {
    "oidc": {
      "issuer": "https://id.example.org",
      "clientId": "homeport",
      "clientSecretFile": "/etc/homeport/oidc.secret"
    }
  },
  "bouncer": {
    "soju": { "network": { "name": "libera", "address": "ircs://irc.libera.chat" } }
  }
}`,
  agent: `{
  "agent": { "tokenFile": "/etc/homeport/agent.token" }
}`,
} as const;
