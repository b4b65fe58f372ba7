import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configSchemas } from '../../../schemas/index.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import {
  minimalAgent,
  minimalAgentJson,
  minimalConnector,
  minimalConnectorJson,
} from '../../harness/nix/configurations.ts';
import { evaluateModules, nixpkgsLib, ownLib } from '../../harness/nix/nix.ts';

const realLib = await nixpkgsLib();

if (realLib === undefined) {
  test.skip("the modules evaluate under nixpkgs' own lib: neither NIXPKGS_LIB nor <nixpkgs/lib> is on this machine");
}

describe.each(realLib === undefined ? [ownLib] : [ownLib, realLib])('under $name', (lib) => {
  const connector = (more = '') =>
    evaluateModules(lib, 'modules', `imports = [ { ${minimalConnector} } { ${more} } ];`);
  const agent = (more = '') => evaluateModules(lib, 'modules', `imports = [ { ${minimalAgent} } { ${more} } ];`);

  test.each([
    ['connector', connector, minimalConnectorJson],
    ['agent', agent, minimalAgentJson],
  ] as const)(
    "the %s's file from NixOS means the same as the shortest one by hand",
    async (program, evaluated, byHand) => {
      const rendered: unknown = JSON.parse((await evaluated()).etc[`homeport/${program}.json`] ?? '');

      expect(configSchemas[program].parse(rendered)).toEqual(configSchemas[program].parse(byHand));
    },
  );

  test.each([
    ['connector', connector],
    ['agent', agent],
  ] as const)("the %s's file sets nothing the program would warn about", async (program, evaluated) => {
    const folder = mkdtempSync(join(tmpdir(), 'homeport-nix-'));
    try {
      const file = join(folder, 'config.json');
      writeFileSync(file, (await evaluated()).etc[`homeport/${program}.json`] ?? '');

      expect(loadConfig(file, configSchemas[program]).warnings).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('an option without effect is rendered once the user sets it, so that the program can warn', async () => {
    const { etc } = await agent('services.homeport.agent.knot = true;');

    expect(JSON.parse(etc['homeport/agent.json'] ?? '')).toHaveProperty('agent.knot', true);
  });

  test('the agent at a Unix socket gets it from systemd and opens no port', async () => {
    const atSocket = 'listen.unix = "/run/homeport/agent.sock";';

    const { etc, failed, ports, sockets, units } = await agent(`services.homeport.agent = { ${atSocket} };`);

    expect({ failed, ports }).toEqual({ failed: [], ports: [] });
    expect(sockets['homeport-agent']).toContain('ListenStream=/run/homeport/agent.sock\n');
    expect(units['homeport-agent']).toContain('Requires=homeport-agent.socket\n');
    expect(JSON.parse(etc['homeport/agent.json'] ?? '')).toHaveProperty(
      'agent.listen.unix',
      '/run/homeport/agent.sock',
    );
    const open = await agent(`services.homeport.agent = { ${atSocket} openFirewall = true; };`);
    expect(open.failed).toEqual([expect.stringMatching(/openFirewall has nothing to open.*listen\.unix is set/)]);
  });

  test("units of a user are answered by a process of that user, which the agent's group may ask", async () => {
    const { failed, groups, users, sockets, units } = await agent('services.homeport.agent.userUnits.user = "ada";');

    expect(failed).toEqual([]);
    expect(groups).toEqual(['homeport-agent', 'homeport-user-units']);
    // The bus lets in only accounts it can look up.
    expect(users).toEqual({ 'homeport-agent': { isSystemUser: true, group: 'homeport-agent' } });
    expect(units['homeport-agent']).toContain('SupplementaryGroups=homeport-user-units\n');
    expect(sockets['homeport-user-units']).toMatch(
      /ListenStream=\/run\/homeport-user-units\/socket\n.*SocketMode=0660/s,
    );
    expect(sockets['homeport-user-units']).toContain('SocketGroup=homeport-user-units\n');
    expect(units['homeport-user-units']).toMatch(/ExecStart=\S+\/bin\/homeport-agent user-units\n.*User=ada\n/s);
    expect((await agent()).units).not.toHaveProperty('homeport-user-units');
  });

  test('secret files reach the service as credentials and their paths stay out of the file', async () => {
    const { units, etc } = await connector('services.homeport.connector.adminTokenFile = "/run/secrets/100%";');

    expect(units['homeport-connector']).toContain(
      'LoadCredential=identityProvider.oidc.clientSecretFile:/run/secrets/oidc\n',
    );
    expect(units['homeport-connector']).toContain('LoadCredential=adminTokenFile:/run/secrets/100%%\n');
    expect(etc['homeport/connector.json']).not.toContain('/run/secrets');
    expect(JSON.parse(etc['homeport/connector.json'] ?? '')).toHaveProperty(
      'adminTokenFile',
      '$CREDENTIALS_DIRECTORY/adminTokenFile',
    );
  });

  test('a secret that would be copied into the store is refused', async () => {
    const inStore = 'services.homeport.agent.tokenFile = lib.mkForce ./package.json;';

    await expect(agent(inStore)).rejects.toThrow(/services\.homeport\.agent\.tokenFile.*not of type/s);
  });

  test.each([
    [
      'a misspelt option',
      'services.homeport.connector.settings.ownerlogins = [ "eve" ];',
      /ownerlogins.*does not exist/s,
    ],
    ['a value of the wrong kind', 'services.homeport.connector.settings.maxUsers = "many";', /maxUsers.*not of type/s],
    ['a value out of bounds', 'services.homeport.connector.settings.maxUsers = 0;', /maxUsers.*not of type/s],
    [
      'an empty list of channels',
      'services.homeport.connector.ircChannels = lib.mkForce [ ];',
      /ircChannels.*not of type/s,
    ],
    ['an alternative that is none', 'services.homeport.connector.database.files = { };', /database.*not of type/s],
  ])('%s is refused by name', async (_what, definition, message) => {
    await expect(connector(definition)).rejects.toThrow(message);
  });

  test('a required option that is missing is named', async () => {
    await expect(
      evaluateModules(lib, 'modules', 'services.homeport.agent = { enable = true; package = pkgs.fake "a" { }; };'),
    ).rejects.toThrow(/services\.homeport\.agent\.tokenFile.*no value defined/s);
  });

  test.each([
    [
      'a firewall opened for loopback',
      'openFirewall = true;',
      /openFirewall opens a port nobody outside can reach: .*listen\.address/,
    ],
    ['a port that needs a capability', 'listen.port = 443;', /listen\.port is 443/],
    ['such a port for metrics', 'metricsListen.port = 443;', /metricsListen\.port is 443/],
    [
      'a state directory the unit may not write',
      'stateDirectory = "/srv/homeport";',
      /stateDirectory is \/srv\/homeport/,
    ],
    ['a database elsewhere', 'database.sqlite.file = "/srv/x.db";', /database\.sqlite\.file is \/srv\/x\.db/],
    ['two proxies', 'nginx.enable = true; caddy.enable = true;', /nginx\.enable and .*caddy\.enable are both set/],
    [
      'a proxy for another port',
      'nginx.enable = true; baseUrl = lib.mkForce "https://irc.example.org:8443";',
      /baseUrl is/,
    ],
    [
      'a server elsewhere beside the one of the machine',
      'postgresql.enable = true; database.postgres.host = "db.example.org";',
      /database must be left to .*postgresql\.enable/,
    ],
    [
      'a file beside the server of the machine',
      'postgresql.enable = true; database.sqlite = { };',
      /database must be left to .*postgresql\.enable/,
    ],
    ['a soju socket elsewhere', 'soju.enable = true; bouncer.soju.adminSocket = "/run/x";', /adminSocket must be/],
  ])('%s is refused by a sentence that names the option', async (_what, definitions, sentence) => {
    const { failed } = await connector(`services.homeport.connector = { ${definitions} };`);

    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(/^services\.homeport\.connector\./);
    expect(failed[0]).toMatch(sentence);
  });

  test('nothing but the own unit is there without hooks', async () => {
    const { units, ports, groups, users, failed, soju, postgresql, nginx, caddy } = await connector();

    expect(Object.keys(units)).toEqual(['homeport-connector']);
    expect({ ports, groups, users, failed }).toEqual({ ports: [], groups: [], users: {}, failed: [] });
    expect([soju.enable, postgresql.enable, nginx.enable, caddy.enable]).toEqual([false, false, false, false]);
  });

  test('people find the programs they look after a service with', async () => {
    const installed = await Promise.all([connector(), agent()].map(async (evaluated) => (await evaluated).installed));

    expect(installed).toEqual([['homeport-connector'], ['homeport-agent']]);
  });

  test('the firewall opens for an address others can reach', async () => {
    const { ports, failed } = await agent(
      'services.homeport.agent = { openFirewall = true; listen.address = "10.0.0.2"; };',
    );

    expect({ ports, failed }).toEqual({ ports: [9105], failed: [] });
  });

  test('the soju hook runs soju with its database as message store and hands the admin socket over', async () => {
    const { soju, units, groups, failed } = await connector('services.homeport.connector.soju.enable = true;');

    expect(failed).toEqual([]);
    expect(soju).toEqual({
      enable: true,
      listen: ['irc+insecure://127.0.0.1:6667'],
      enableMessageLogging: false,
      extraConfig: 'message-store db',
    });
    expect(groups).toEqual(['homeport-soju']);
    expect(units['soju']).toMatch(/^ExecStartPost=\+/m);
    expect(units['homeport-connector']).toMatch(/^Group=homeport-soju$/m);
    expect(units['homeport-connector']).toMatch(/^Requires=soju\.service$/m);
  });

  test('the PostgreSQL hook makes the database and lets the connector in by its account', async () => {
    const { etc, failed, postgresql, units, users, groups } = await connector(
      'services.homeport.connector = { postgresql.enable = true; soju.enable = true; };',
    );

    expect(failed).toEqual([]);
    expect(postgresql).toEqual({
      enable: true,
      ensureDatabases: ['homeport-connector'],
      ensureUsers: [{ name: 'homeport-connector', ensureDBOwnership: true }],
    });
    expect(users).toEqual({ 'homeport-connector': { isSystemUser: true, group: 'homeport-connector' } });
    expect(groups).toEqual(['homeport-connector', 'homeport-soju']);
    expect(units['homeport-connector']).toMatch(/^User=homeport-connector$/m);
    expect(units['homeport-connector']).toMatch(/^Requires=postgresql\.target$/m);
    expect(units['homeport-connector']).toMatch(/^After=postgresql\.target$/m);
    const { database } = configSchemas.connector.parse(JSON.parse(etc['homeport/connector.json'] ?? ''));
    expect(database).toMatchObject({
      postgres: { host: '/run/postgresql', database: 'homeport-connector', user: 'homeport-connector' },
    });
  });

  test('the nginx hook serves the host of baseUrl and passes its name on', async () => {
    const { nginx } = await connector('services.homeport.connector.nginx.enable = true;');

    expect(nginx.virtualHosts).toEqual({
      'irc.example.org': {
        enableACME: true,
        forceSSL: true,
        locations: { '/': { proxyPass: 'http://127.0.0.1:8460', recommendedProxySettings: true } },
      },
    });
  });

  test('the Caddy hook reaches a connector on an IPv6 address', async () => {
    const { caddy } = await connector(
      'services.homeport.connector = { caddy.enable = true; listen.address = "::1"; };',
    );

    expect(caddy.virtualHosts).toEqual({ 'irc.example.org': { extraConfig: 'reverse_proxy http://[::1]:8460' } });
  });

  test('the configuration is checked by the program itself when the system is built', async () => {
    const { checks } = await agent();

    expect(checks['homeport/agent.json']).toMatch(/\/bin\/homeport-agent check-config "\$json"/);
  });
});
