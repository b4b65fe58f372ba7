import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { configSchemas } from '../../../schemas/index.ts';
import { loadConfig } from '../../../src/kernel/config/load-config.ts';
import { blockOf, blocksOf } from '../../harness/guide-blocks.ts';
import {
  minimalAgent,
  minimalAgentJson,
  minimalConnector,
  minimalConnectorJson,
} from '../../harness/nix/configurations.ts';
import { type EvaluatedSystem, evaluateSystem, nixTest } from '../../harness/nix/nix.ts';

const connector = (more = '') => evaluateSystem(`imports = [ { ${minimalConnector} } { ${more} } ];`);
const agent = (more = '') => evaluateSystem(`imports = [ { ${minimalAgent} } { ${more} } ];`);

for (const [program, evaluated, byHand] of [
  ['connector', connector, minimalConnectorJson],
  ['agent', agent, minimalAgentJson],
] as const) {
  nixTest(`the ${program}'s file from NixOS means the same as the shortest one by hand`, async () => {
    const rendered: unknown = JSON.parse((await evaluated()).etc[`homeport/${program}.json`] ?? '');

    expect(configSchemas[program].parse(rendered)).toEqual(configSchemas[program].parse(byHand));
  });

  nixTest(`the ${program} with the fewest options is warned about by nobody`, async () => {
    const system = await evaluated();

    expect(system.warnings).toEqual([]);
    expect(await warningsOf(program, system)).toEqual([]);
  });
}

for (const [evaluated, unit, definition, expected] of [
  [connector, 'homeport-connector', '', 'nothing'],
  [connector, 'homeport-connector', 'services.homeport.connector.logLevel = "debug";', 'reload'],
  [connector, 'homeport-connector', 'services.homeport.connector.settings.ownerLogins = [ "eve" ];', 'reload'],
  [connector, 'homeport-connector', 'services.homeport.connector.retention.days = 3;', 'reload'],
  [connector, 'homeport-connector', 'services.homeport.connector.listen.port = 8000;', 'restart'],
  [
    connector,
    'homeport-connector',
    'services.homeport.connector = { logLevel = "debug"; ircChannels = [ "#two" ]; };',
    'restart',
  ],
  [connector, 'homeport-connector', 'services.homeport.connector.adminTokenFile = "/run/secrets/a";', 'restart'],
  [agent, 'homeport-agent', 'services.homeport.agent.networkFilesystems = true;', 'reload'],
  [agent, 'homeport-agent', `services.homeport.hosts.wgPeers.hub = "${'A'.repeat(43)}=";`, 'reload'],
  [agent, 'homeport-agent', 'services.homeport.agent.logLevel = "debug";', 'restart'],
] as const) {
  nixTest(`a switch of the system does ${expected} for ${definition || 'the same configuration'}`, async () => {
    expect(switched(unit, await evaluated(), await evaluated(definition))).toBe(expected);
  });
}

nixTest('the agent at a Unix socket gets it from systemd and opens no port', async () => {
  const atSocket = 'listen.unix = "/run/homeport/agent.sock";';

  const { etc, failed, ports, sockets, units } = await agent(`services.homeport.agent = { ${atSocket} };`);

  expect({ failed, ports }).toEqual({ failed: [], ports: [] });
  expect(sockets['homeport-agent']).toContain('ListenStream=/run/homeport/agent.sock\n');
  expect(units['homeport-agent']).toContain('Requires=homeport-agent.socket\n');
  expect(JSON.parse(etc['homeport/agent.json'] ?? '')).toHaveProperty('agent.listen.unix', '/run/homeport/agent.sock');
  const open = await agent(`services.homeport.agent = { ${atSocket} openFirewall = true; };`);
  expect(open.failed).toEqual([expect.stringMatching(/openFirewall has no port to open.*listen\.unix is set/)]);
});

nixTest("units of a user are answered by a process of that user, which the agent's group may ask", async () => {
  const { failed, groups, users, sockets, units } = await agent('services.homeport.agent.userUnits.user = "ada";');

  expect(failed).toEqual([]);
  expect(groups).toEqual(['homeport-agent', 'homeport-user-units']);
  // The bus lets in only accounts it can look up.
  expect(users).toEqual({ 'homeport-agent': { isSystemUser: true, group: 'homeport-agent' } });
  expect(units['homeport-agent']).toContain('SupplementaryGroups=homeport-user-units\n');
  expect(sockets['homeport-user-units']).toMatch(/ListenStream=\/run\/homeport-user-units\/socket\n.*SocketMode=0660/s);
  expect(sockets['homeport-user-units']).toContain('SocketGroup=homeport-user-units\n');
  expect(units['homeport-user-units']).toMatch(/ExecStart=\S+\/bin\/homeport-agent user-units\n.*User=ada\n/s);
  expect((await agent()).units).not.toHaveProperty('homeport-user-units');
});

nixTest('people may sign in with GitHub, whose secret is a credential, too', async () => {
  const { units, etc } = await connector(
    'services.homeport.connector.identityProvider = lib.mkForce { github = { clientId = "app"; clientSecretFile = "/run/secrets/app"; }; };',
  );

  expect(units['homeport-connector']).toContain(
    'LoadCredential=identityProvider.github.clientSecretFile:/run/secrets/app\n',
  );
  const { identityProvider } = configSchemas.connector.parse(JSON.parse(etc['homeport/connector.json'] ?? ''));
  expect(identityProvider).toMatchObject({ github: { url: 'https://github.com', clientId: 'app' } });
});

nixTest('secret files reach the service as credentials and their paths stay out of the file', async () => {
  const { units, etc } = await connector(
    'services.homeport.connector = { adminTokenFile = "/run/secrets/100%"; keysFile = "/run/secrets/keys"; };',
  );

  expect(units['homeport-connector']).toContain(
    'LoadCredential=identityProvider.oidc.clientSecretFile:/run/secrets/oidc\n',
  );
  expect(units['homeport-connector']).toContain('LoadCredential=adminTokenFile:/run/secrets/100%%\n');
  expect(units['homeport-connector']).toContain('LoadCredential=keysFile:/run/secrets/keys\n');
  expect(etc['homeport/connector.json']).not.toContain('/run/secrets');
  expect(JSON.parse(etc['homeport/connector.json'] ?? '')).toHaveProperty(
    'adminTokenFile',
    '$CREDENTIALS_DIRECTORY/adminTokenFile',
  );
});

for (const [what, definitions, option] of [
  ['such a port for metrics', 'metricsListen.port = 443;', 'metricsListen.port'],
  ['a state directory the unit may not write', 'stateDirectory = "/srv/homeport";', 'stateDirectory'],
  ['a database elsewhere', 'database.sqlite.file = "/srv/x.db";', 'database.sqlite.file'],
  ['a file for several processes', 'processes = 2; keysFile = "/run/secrets/keys";', 'database'],
  ['several processes that would each make keys', 'processes = 2; postgresql.enable = true;', 'keysFile'],
  [
    'ports of several processes that overlap',
    'processes = 3; postgresql.enable = true; keysFile = "/run/secrets/keys"; listen.port = 8000; metricsListen.port = 8002;',
    'metricsListen.port',
  ],
  [
    'more ports than there are',
    'processes = 2; postgresql.enable = true; keysFile = "/run/secrets/keys"; listen.port = 65535;',
    'listen.port',
  ],
  [
    'nginx before processes that wait',
    'processes = 2; postgresql.enable = true; database.postgres.standby = true; keysFile = "/run/secrets/keys"; nginx.enable = true;',
    'database.postgres.standby',
  ],
  ['two proxies', 'nginx.enable = true; caddy.enable = true;', 'nginx.enable'],
  ['a proxy for another port', 'nginx.enable = true; baseUrl = lib.mkForce "https://irc.example.org:8443";', 'baseUrl'],
  [
    'a server elsewhere beside the one of the machine',
    'postgresql.enable = true; database.postgres.host = "db.example.org";',
    'database',
  ],
  ['a file beside the server of the machine', 'postgresql.enable = true; database.sqlite = { };', 'database'],
  ['a soju socket elsewhere', 'soju.enable = true; bouncer.soju.adminSocket = "/run/x";', 'bouncer.soju.adminSocket'],
  [
    "soju's own socket for administration as the one for IRC",
    'soju.enable = true; bouncer.soju.address = "unix:///run/soju/admin";',
    'bouncer.soju.address',
  ],
] as const) {
  nixTest(`${what} is refused by a sentence that says which option to set`, async () => {
    const { failed } = await connector(`services.homeport.connector = { ${definitions} };`);

    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(/(Set|Leave) (services\.homeport\.connector\.\S+|one of them) (to|unset)/);
    expect(failed[0]).toContain(`services.homeport.connector.${option}`);
  });
}

nixTest('nothing but the own unit is there without hooks', async () => {
  const { units, ports, groups, users, failed, soju, postgresql, nginx, caddy } = await connector();

  expect(Object.keys(units)).toEqual(['homeport-connector']);
  expect({ ports, groups, users, failed }).toEqual({ ports: [], groups: [], users: {}, failed: [] });
  expect([soju.enable, postgresql.enable, nginx.enable, caddy.enable]).toEqual([false, false, false, false]);
});

nixTest('people find the programs they look after a service with', async () => {
  const installed = await Promise.all([connector(), agent()].map(async (evaluated) => (await evaluated).installed));

  expect(installed).toEqual([['homeport-connector'], ['homeport-agent']]);
});

nixTest('the packages are those of this repository unless others are given', async () => {
  const { installed } = await evaluateSystem(`
    services.homeport.agent = { enable = true; tokenFile = "/run/secrets/agent"; };
    programs.termprog.enable = true;
  `);

  expect(installed.sort()).toEqual(['homeport-agent', 'termprog']);
});

nixTest('an overlay decides which programs the modules take', async () => {
  const { installed } = await evaluateSystem(
    `
    services.homeport.agent = { enable = true; tokenFile = "/run/secrets/agent"; };
    programs.termprog.enable = true;
  `,
    'pkgs: { homeport-agent = pkgs.fake "patched-agent" { }; termprog = pkgs.fake "patched-termprog" { }; }',
  );

  expect(installed.sort()).toEqual(['patched-agent', 'patched-termprog']);
});

nixTest('the firewall opens at the interfaces that are named, and at no others', async () => {
  const options = 'openFirewall = true; firewallInterfaces = [ "wg0" ]; listen.address = "10.0.0.2";';
  const of = {
    agent: await agent(`services.homeport.agent = { ${options} };`),
    connector: await connector(`services.homeport.connector = { ${options} };`),
  };

  expect([of.agent.ports, of.agent.portsAt, of.agent.failed]).toEqual([[], { wg0: [9105] }, []]);
  expect([of.connector.ports, of.connector.portsAt, of.connector.failed]).toEqual([[], { wg0: [8460] }, []]);
  expect((await agent('services.homeport.agent.firewallInterfaces = [ "wg0" ];')).failed).toEqual([
    'services.homeport.agent.firewallInterfaces names where the port is to be opened, but services.homeport.agent.openFirewall is false. Set services.homeport.agent.openFirewall to true, or services.homeport.agent.firewallInterfaces to [ ].',
  ]);
});

for (const [what, network, unit, listenedOn = '10.0.0.2'] of [
  [
    'a WireGuard tunnel',
    'wireguard.interfaces = { wg0.ips = [ "10.0.0.2/24" ]; wg1.ips = [ "10.1.0.2/24" ]; };',
    'wireguard-wg0',
  ],
  ['a tunnel of wg-quick', 'wg-quick.interfaces.vpn.address = [ "fd00::2/64" "10.0.0.2" ];', 'wg-quick-vpn'],
  [
    'an interface with a fixed address',
    'interfaces = { eth1.ipv4.addresses = [ { address = "10.0.0.2"; prefixLength = 24; } ]; eth2 = { }; };',
    'network-addresses-eth1',
  ],
  [
    'an interface with an address of its link',
    'interfaces.eth1.ipv6.addresses = [ { address = "FE80::2"; prefixLength = 64; } ];',
    'network-addresses-eth1',
    'fe80::2%eth1',
  ],
] as const) {
  nixTest(`both services start after ${what} that has the address they listen on`, async () => {
    const address = `listen.address = "${listenedOn}";`;
    const { units } = await evaluateSystem(`
      imports = [ { ${minimalAgent} } { ${minimalConnector} } ];
      networking = { ${network} };
      services.homeport = { agent = { ${address} }; connector = { ${address} }; };
    `);

    for (const name of ['homeport-agent', 'homeport-connector']) {
      const named = (key: string) => units[name]?.match(new RegExp(`^${key}=(?!network-online).*$`, 'gm'));
      expect(named('After'), name).toEqual([`After=${unit}.service`]);
      expect(named('Wants'), name).toEqual([`Wants=${unit}.service`]);
    }
  });
}

nixTest('the firewall opens for an address others can reach', async () => {
  const { ports, failed } = await agent(
    'services.homeport.agent = { openFirewall = true; listen.address = "10.0.0.2"; };',
  );

  expect({ ports, failed }).toEqual({ ports: [9105], failed: [] });
});

nixTest('the soju hook runs soju with its database as message store, which hands its sockets over itself', async () => {
  const { soju, units, groups, failed } = await connector('services.homeport.connector.soju.enable = true;');

  expect(failed).toEqual([]);
  expect(soju).toEqual({
    enable: true,
    listen: ['irc+insecure://127.0.0.1:6667'],
    enableMessageLogging: false,
    extraConfig: 'message-store db',
  });
  expect(groups).toEqual(['homeport-soju']);
  expect(units['soju']).toMatch(/^SupplementaryGroups=homeport-soju$/m);
  // Without a plus sign, which would make it root's.
  expect(units['soju']).toMatch(/^ExecStartPost=\/nix\/store\//m);
  expect(units['homeport-connector']).toMatch(/^SupplementaryGroups=homeport-soju$/m);
  expect(units['homeport-connector']).toMatch(/^Wants=soju\.service$/m);
});

nixTest('the PostgreSQL hook makes the database and lets the connector in by its account', async () => {
  const { etc, failed, postgresql, scripts, units, users, groups } = await connector(
    'services.homeport.connector = { postgresql.enable = true; soju.enable = true; };',
  );

  expect(failed).toEqual([]);
  expect(postgresql).toEqual({
    enable: true,
    ensureDatabases: ['homeport-connector'],
    ensureUsers: [{ name: 'homeport-connector', ensureDBOwnership: true }],
  });
  const [, revoke = ''] = /--command='(REVOKE [^']+)'/.exec(blocksOf('postgresql.md', 'sh').join('\n')) ?? [];
  expect(scripts).toEqual({ 'postgresql-setup': `psql -d postgres -tAc '${revoke}'\n` });
  expect(users).toEqual({ 'homeport-connector': { isSystemUser: true, group: 'homeport-connector' } });
  expect(groups).toEqual(['homeport-connector', 'homeport-soju']);
  expect(units['homeport-connector']).toMatch(/^DynamicUser=false\n(.*\n)*User=homeport-connector$/m);
  expect(units['homeport-connector']).toMatch(/^Requires=postgresql\.target$/m);
  expect(units['homeport-connector']).toMatch(/^After=postgresql\.target$/m);
  const { database } = configSchemas.connector.parse(JSON.parse(etc['homeport/connector.json'] ?? ''));
  expect(database).toMatchObject({
    postgres: { host: '/run/postgresql', database: 'homeport-connector', user: 'homeport-connector' },
  });
});

nixTest('the nginx hook writes what the guide does', async () => {
  const { nginx, etc } = await connector('services.homeport.connector.nginx.enable = true;');

  const guided = blockOf('proxies.md', 'nginx');
  const location = (/location \/ \{(.*?)\}/s.exec(guided)?.[1] ?? '').split('\n').flatMap((line) => line.trim() || []);
  expect(location).toContain('proxy_pass http://127.0.0.1:8460;');
  expect(nginx.virtualHosts).toEqual({
    [/server_name (.*);/.exec(guided)?.[1] ?? '']: {
      enableACME: true,
      forceSSL: true,
      locations: {
        '/': {
          proxyPass: 'http://127.0.0.1:8460',
          recommendedProxySettings: false,
          extraConfig: `${location.filter((line) => !line.startsWith('proxy_pass ')).join('\n')}\n`,
        },
      },
    },
  });
  expect(JSON.parse(etc['homeport/connector.json'] ?? '')).toMatchObject(JSON.parse(blockOf('proxies.md', 'json')));
});

nixTest('the Caddy hook writes what the guide does', async () => {
  const { caddy } = await connector('services.homeport.connector.caddy.enable = true;');

  const [, name = '', body = ''] = /^(\S+) \{\n\t(.*)\n\}\n$/.exec(blockOf('proxies.md', 'caddyfile')) ?? [];
  expect(caddy.virtualHosts).toEqual({ [name]: { extraConfig: body } });
});

nixTest('the Caddy hook reaches a connector on an IPv6 address', async () => {
  const { caddy } = await connector('services.homeport.connector = { caddy.enable = true; listen.address = "::1"; };');

  expect(caddy.virtualHosts).toEqual({ 'irc.example.org': { extraConfig: 'reverse_proxy http://[::1]:8460' } });
});

const THREE = `
  processes = 3; postgresql.enable = true; soju.enable = true; keysFile = "/run/secrets/keys";
  metricsListen.port = 9200; openFirewall = true; listen.address = "10.0.0.2";
`;

nixTest(
  'several processes share all but ports and state directories, and the first has those of a single one',
  async () => {
    const { units, etc, failed, ports, wanted, users } = await connector(`services.homeport.connector = { ${THREE} };`);
    const names = [1, 2, 3].map((number) => `homeport-connector@${number}`);
    const files = ['connector', 'connector-2', 'connector-3'];

    expect(failed).toEqual([]);
    expect(ports).toEqual([8460, 8461, 8462]);
    expect(Object.keys(units).filter((name) => name.includes('connector'))).toEqual(names);
    expect(Object.keys(users)).toEqual(['homeport-connector']);
    for (const [index, name] of names.entries()) {
      const unit = units[name] ?? '';
      expect(unit).toMatch(new RegExp(`ExecStart=\\S+ run --config /etc/homeport/${files[index]}\\.json\n`));
      expect(unit).toContain('User=homeport-connector\n');
      expect(unit).toContain('SupplementaryGroups=homeport-soju\n');
      expect(unit).toContain('Requires=postgresql.target\n');
      expect(unit).toContain('LoadCredential=keysFile:/run/secrets/keys\n');
      expect(unit).toContain(`StateDirectory=homeport-${files[index]}\n`);
      expect(wanted.services[name]).toEqual(['multi-user.target']);
    }
    const configurations = files.map((file) =>
      configSchemas.connector.parse(JSON.parse(etc[`homeport/${file}.json`] ?? '')),
    );
    expect(configurations.map(({ listen }) => listen.port)).toEqual([8460, 8461, 8462]);
    expect(configurations.map(({ metricsListen }) => metricsListen?.port)).toEqual([9200, 9201, 9202]);
    expect(configurations.map(({ stateDirectory }) => stateDirectory)).toEqual(
      files.map((file) => `/var/lib/homeport-${file}`),
    );
    const [first] = configurations;
    for (const { listen, metricsListen, stateDirectory, ...shared } of configurations) {
      const ofFirst = { metricsListen: { ...metricsListen, port: 9200 }, stateDirectory: first?.stateDirectory };
      expect({ ...shared, ...ofFirst, listen: { ...listen, port: 8460 } }).toEqual(first);
    }
  },
);

nixTest('a switch reloads, or restarts, each of several processes where it would do so with one', async () => {
  const before = await connector(`services.homeport.connector = { ${THREE} };`);
  const soft = await connector(`services.homeport.connector = { ${THREE} logLevel = "debug"; };`);
  const hard = await connector(`services.homeport.connector = { ${THREE} oauth.clientDocuments = false; };`);

  for (const name of [1, 2, 3].map((number) => `homeport-connector@${number}`)) {
    expect([before, soft, hard].map((after) => switched(name, before, after))).toEqual([
      'nothing',
      'reload',
      'restart',
    ]);
  }
});

nixTest('nginx passes requests on to each of several processes', async () => {
  const several = 'processes = 2; postgresql.enable = true; keysFile = "/run/secrets/keys"; nginx.enable = true;';
  const { nginx, failed } = await connector(`services.homeport.connector = { ${several} };`);

  expect(failed).toEqual([]);
  expect(nginx.upstreams).toEqual({
    'homeport-connector': { servers: { '127.0.0.1:8460': { max_fails: 0 }, '127.0.0.1:8461': { max_fails: 0 } } },
  });
  expect(nginx.virtualHosts).toMatchObject({
    'irc.example.org': { locations: { '/': { proxyPass: 'http://homeport-connector' } } },
  });
});

nixTest('Caddy asks each of several processes whether it serves, and keeps requests while none does', async () => {
  const several = 'processes = 2; postgresql.enable = true; keysFile = "/run/secrets/keys";';
  const { caddy } = await connector(`services.homeport.connector = { ${several} caddy.enable = true; };`);

  const { extraConfig } = caddy.virtualHosts['irc.example.org'] as { extraConfig: string };
  expect(extraConfig).toBe(
    [
      'reverse_proxy http://127.0.0.1:8460 http://127.0.0.1:8461 {',
      ...['lb_try_duration 30s', 'health_uri /healthz', 'health_interval 1s', 'health_timeout 2s'].map(
        (line) => `\t${line}`,
      ),
      '}',
    ].join('\n'),
  );
});

nixTest('the configuration of the guide to several processes can be built', async () => {
  const guided = blockOf('scale.md', 'nix');
  const { failed, warnings, units } = await evaluateSystem(`imports = [ { ${minimalConnector} } (${guided}) ];`);

  expect([failed, warnings]).toEqual([[], []]);
  expect(Object.keys(units).filter((name) => name.includes('connector'))).toEqual([
    'homeport-connector@1',
    'homeport-connector@2',
  ]);
});

/** Returns the warnings of a program's start with its file from NixOS. */
async function warningsOf(program: 'connector' | 'agent', { etc }: EvaluatedSystem): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-nix-'));
  try {
    const file = join(folder, 'config.json');
    writeFileSync(file, etc[`homeport/${program}.json`] ?? '');
    return (await loadConfig(file, configSchemas[program])).warnings;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns what a switch of the system does to a unit, as switch-to-configuration decides it. */
function switched(name: string, before: EvaluatedSystem, after: EvaluatedSystem): 'nothing' | 'reload' | 'restart' {
  const [old, now] = [before.triggers[name], after.triggers[name]];
  if (before.units[name] !== after.units[name] || old?.restart !== now?.restart) return 'restart';
  return old?.reload === now?.reload ? 'nothing' : 'reload';
}
