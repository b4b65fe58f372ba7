import { expect } from 'vitest';
import { runBuild } from '../../harness/nix/build.ts';
import { builtPackages, minimalAgent, minimalConnector } from '../../harness/nix/configurations.ts';
import { type EvaluatedSystem, evaluateSystem, nixTest } from '../../harness/nix/nix.ts';

/** A service with the fewest options and these, as a user's file has them. */
const withOptions = (minimal: string, definitions: string): Promise<EvaluatedSystem> =>
  evaluateSystem(`imports = [ { ${minimal} } { ${builtPackages} } { _file = "configuration.nix"; ${definitions} } ];`);

const connector = (definitions: string) => withOptions(minimalConnector, definitions);
const agent = (definitions: string) => withOptions(minimalAgent, definitions);

/** Refused while the configuration is read: what Nix says after `error:`, its lines without their margin. */
for (const [what, evaluated, message] of [
  [
    'a misspelt option',
    () => connector('services.homeport.connector.settings.ownerlogins = [ "eve" ];'),
    "The option `services.homeport.connector.settings.ownerlogins' does not exist. Definition values:\n- In `configuration.nix':",
  ],
  [
    'a value of another type',
    () => connector('services.homeport.connector.settings.maxUsers = "many";'),
    "A definition for option `services.homeport.connector.settings.maxUsers' is not of type `integer between 1 and 10000 (both inclusive)'. Definition values:\n- In `configuration.nix': \"many\"",
  ],
  [
    'a secret that would be copied into the store, where everybody may read it',
    () => agent('services.homeport.agent.tokenFile = lib.mkForce ./package.json;'),
    "A definition for option `services.homeport.agent.tokenFile' is not of type `absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it'. Definition values:\n- In `configuration.nix':",
  ],
  [
    'a secret that may be left out, as a path literal',
    () => connector('services.homeport.connector.adminTokenFile = ./package.json;'),
    'adminTokenFile\' is not of type `null or absolute path as a text, such as "/run/secrets/token": a path literal such as ./token would be copied to the Nix store, where everybody may read it\'',
  ],
  [
    'a text of a form that only a pattern would tell',
    () => connector('services.homeport.connector.ircChannels = [ "homeport" ];'),
    'is not of type `a channel with leading #, without blanks, ',
  ],
  [
    'a list of texts of which one has another form',
    () => connector('services.homeport.connector.corsOrigins = [ "https://example.org/" ];'),
    'is not of type `the origin of a site as browsers write it, without a path, ',
  ],
  [
    'two of several ways at once',
    () => connector('services.homeport.connector.identityProvider.github.clientId = "id";'),
    'services.homeport.connector.identityProvider',
  ],
  [
    'a way that there is not',
    () => connector('services.homeport.connector.database = { mysql = { }; };'),
    "database' is not of type `exactly one of sqlite, postgres, for example { sqlite = { }; }'",
  ],
  ...['10.0.0.1:9105', '[::1]', 'http://10.0.0.1', '10.0.0.1/24', '', ':9105'].flatMap((address) =>
    [
      { path: 'services.homeport.agent.listen', evaluated: agent },
      { path: 'services.homeport.connector.listen', evaluated: connector },
    ].map(
      ({ path, evaluated }) =>
        [
          `${JSON.stringify(address)} as ${path}.address`,
          () => evaluated(`${path}.address = "${address}";`),
          `A definition for option \`${path}.address' is not of type \`an address of this machine without a port and without brackets, such as 10.0.0.1, fd00::1, fe80::1%eth0 or host.example.org; the port is the option beside it'.`,
        ] as const,
    ),
  ),
  ...['^/mnt/(?!data)', '(?<=x)y', '^(a)\\\\1$', '(?<n>a)\\\\k<n>', '(?i)docker'].map(
    (expression) =>
      [
        `${expression} as an expression, which could take years over a name,`,
        () => agent(`services.homeport.agent.exclude.mountPoints = "${expression}";`),
        "exclude.mountPoints' is not of type `null or a regular expression such as ^/mnt/, without look-around — (?=, (?!, (?<=, (?<! —, back-references — ",
      ] as const,
  ),
  [
    'a service without the option it needs',
    () => evaluateSystem('services.homeport.agent = { enable = true; package = pkgs.fake "a" { }; };'),
    'services.homeport: this option has no default and is not set: services.homeport.agent.tokenFile. Set it.',
  ],
  [
    'a service without any of the options it needs',
    () => evaluateSystem('services.homeport.connector = { enable = true; package = pkgs.fake "c" { }; };'),
    `services.homeport.connector: these options have no default and are not set: ${[
      ...['baseUrl', 'ircChannels', 'settings.ownerLogins', 'identityProvider', 'bouncer'],
    ]
      .map((name) => `services.homeport.connector.${name}`)
      .join(', ')}. Set all of them.`,
  ],
  [
    'a way of signing in of which something is missing',
    () =>
      connector(
        'services.homeport.connector = { identityProvider = lib.mkForce { oidc.issuer = "https://id.example.org"; }; legacyClient.id = "old"; };',
      ),
    `services.homeport.connector: these options have no default and are not set: ${[
      ...['legacyClient.secretFile', 'identityProvider.oidc.clientId', 'identityProvider.oidc.clientSecretFile'],
    ]
      .map((name) => `services.homeport.connector.${name}`)
      .join(', ')}. Set all of them.`,
  ],
  [
    'a directive that the module sets too',
    () => agent('systemd.services.homeport-agent.serviceConfig.ProtectSystem = "full";'),
    "The option `systemd.services.homeport-agent.serviceConfig.ProtectSystem' has conflicting definition values:",
  ],
] as const) {
  nixTest(`${what} is refused by Nix`, async () => {
    const complaint = await evaluated().then(
      () => 'it was accepted',
      (error: Error) => error.message.replaceAll(/^\s+/gm, ''),
    );

    expect(complaint).toContain(message);
  });
}

/** Refused by an assertion of ours: the whole sentence, which names the option to set. */
for (const [what, evaluated, sentence] of [
  [
    'a port opened for an address of the machine alone',
    () => agent('services.homeport.agent.openFirewall = true;'),
    "services.homeport.agent.openFirewall opens a port that other machines can't reach: services.homeport.agent.listen.address is 127.0.0.1, an address of this machine alone. Set services.homeport.agent.listen.address to an address others can reach, or services.homeport.agent.openFirewall to false.",
  ],
  [
    'the report of a mail server that is not there',
    () => agent('services.homeport.agent.postfix = true;'),
    'services.homeport.agent.postfix is true, but this machine has no mail queue to report: services.postfix.enable is false. Set services.postfix.enable to true, or services.homeport.agent.postfix to false.',
  ],
  [
    'a port below 1024',
    () => connector('services.homeport.connector.listen.port = 443;'),
    "services.homeport.connector.listen.port is 443, but the service has no capability and can't listen below 1024. Set services.homeport.connector.listen.port to a higher port, and put a proxy in front of it where the low port is needed.",
  ],
  [
    'an older client without a redirect address',
    () => connector('services.homeport.connector.legacyClient = { id = "old"; secretFile = "/run/secrets/old"; };'),
    'services.homeport.connector.legacyClient is set, but it has no address to send people back to. Set services.homeport.connector.oauthRedirectUris.',
  ],
  [
    "a socket outside of soju's directory",
    () =>
      connector(
        'services.homeport.connector = { soju.enable = true; bouncer.soju.address = "unix:///run/irc/socket"; };',
      ),
    'services.homeport.connector.bouncer.soju.address is unix:///run/irc/socket, but the soju of services.homeport.connector.soju.enable can make sockets in /run/soju only, and /run/soju/admin is taken. Set services.homeport.connector.bouncer.soju.address to unix:///run/soju/irc, or to an address of this machine such as irc+insecure://127.0.0.1:6667.',
  ],
] as const) {
  nixTest(`${what} is refused by an assertion`, async () => {
    expect((await evaluated()).failed).toEqual([sentence]);
  });
}

/** Refused by the program itself when the system is built: problems, each with its path. */
for (const [what, evaluated, program, problems] of [
  [
    'port 0',
    () => connector('services.homeport.connector.metricsListen.port = lib.mkForce 0;'),
    'connector',
    ['metricsListen.port: expected a number of at least 1, received 0'],
  ],
  [
    'a channel with a name longer than IRC has them',
    () => connector(`services.homeport.connector.ircChannels = [ "#${'x'.repeat(64)}" ];`),
    'connector',
    [`ircChannels[0]: expected at most 64 characters, received "#${'x'.repeat(55)}...`],
  ],
  [
    'a name of a network that is too long',
    () => connector(`services.homeport.connector.bouncer.soju.network.name = "${'n'.repeat(33)}";`),
    'connector',
    [`bouncer.soju.network.name: expected at most 32 characters, received "${'n'.repeat(33)}"`],
  ],
  [
    'a relative path',
    () => agent('services.homeport.agent.knotSocket = "run/knot/knot.sock";'),
    'agent',
    ['agent.knotSocket: expected an absolute path, received "run/knot/knot.sock"'],
  ],
  [
    'two mistakes at once',
    () => agent('services.homeport.agent = { listen.unix = "agent.sock"; userUnits.socket = "units.sock"; };'),
    'agent',
    [
      'agent.listen.unix: expected an absolute path, received "agent.sock"',
      'agent.userUnits.socket: expected an absolute path, received "units.sock"',
    ],
  ],
] as const) {
  nixTest(`${what} is refused when the system is built`, async () => {
    const build = (await evaluated()).builds[`homeport/${program}.json`];
    if (build === undefined) throw new Error(`no build of the file of the ${program}`);

    const { exitCode, stderr } = await runBuild(build);

    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^homeport-${program}: /nix/store/\\S+-homeport-${program}\\.json: ${count}$`)),
      ...problems.map((problem) => `  ${problem}`),
      `homeport-${program} print-schema shows every option`,
    ]);
    expect(exitCode).toBe(78);
  });
}

for (const [program, minimal] of [
  ['connector', minimalConnector],
  ['agent', minimalAgent],
] as const) {
  nixTest(`a right configuration of the ${program} is built into the file that the service reads`, async () => {
    const { builds, etc } = await withOptions(minimal, '');
    const file = `homeport/${program}.json`;
    const build = builds[file];
    if (build === undefined) throw new Error(`no build of ${file}`);

    const { exitCode, stderr, output } = await runBuild(build);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(output).toBe(etc[file]);
  });
}

/** Accepted with a warning: what is set has no effect. */
for (const [what, evaluated, warnings] of [
  [
    'redirect addresses without their client',
    () => connector('services.homeport.connector.oauthRedirectUris = [ "https://a.example.org" ];'),
    [
      'services.homeport.connector.oauthRedirectUris is set, but has no effect: services.homeport.connector.legacyClient is unset, and only that client uses them.',
    ],
  ],
  [
    'certificates without encryption',
    () => connector('services.homeport.connector.database.postgres.caFile = "/etc/ca.pem";'),
    [
      'services.homeport.connector.database.postgres.caFile is set, but has no effect: services.homeport.connector.database.postgres.tls is "off".',
    ],
  ],
  [
    'a port beside a Unix socket',
    () => agent('services.homeport.agent.listen = { unix = "/run/homeport/agent.sock"; port = 9100; };'),
    [
      'services.homeport.agent.listen.port is set, but has no effect: services.homeport.agent.listen.unix is set, so the agent listens on no port.',
    ],
  ],
  [
    'what belongs to sections that are not reported',
    () =>
      agent(
        'services.homeport.agent = { wireguard = false; tunnelAccess = true; knotSocket = "/run/k"; userUnits.socket = "/run/u"; };',
      ),
    [
      'services.homeport.agent.tunnelAccess is set, but has no effect: services.homeport.agent.wireguard is false, so the agent asks for no tunnel peers.',
      'services.homeport.agent.knotSocket is set, but has no effect: services.homeport.agent.knot is false, so the agent reports no zones.',
      "services.homeport.agent.userUnits.socket is set, but has no effect: services.homeport.agent.userUnits.user is unset, so no user's units are asked about.",
    ],
  ],
] as const) {
  nixTest(`${what} is warned about`, async () => {
    const { failed, warnings: told } = await evaluated();

    expect({ failed, told }).toEqual({ failed: [], told: warnings });
  });
}
