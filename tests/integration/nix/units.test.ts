import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect } from 'vitest';
import { minimalAgent, minimalConnector } from '../../harness/nix/configurations.ts';
import { evaluateSystem, nixTest } from '../../harness/nix/nix.ts';

const DEADLINE_MS = 120_000;

const golden = join(import.meta.dirname, '../../golden/generate/rendered');
const folder = mkdtempSync(join(tmpdir(), 'homeport-units-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Every right the agent can be given. */
const ALL_HOOKS = `
  services.postfix.enable = true;
  services.knot.enable = true;
  services.homeport.agent.userUnits.user = "ada";
  services.homeport.agent.tunnelAccess = true;
`;

/** Each server that can stand beside the connector. */
const ALL_SERVERS = `
  services.homeport.connector = {
    soju.enable = true;
    postgresql.enable = true;
    nginx.enable = true;
  };
`;

const evaluated = (configuration: string) => evaluateSystem(`imports = [ ${configuration} ];`);
const both = (more: string) => evaluated(`{ ${minimalConnector} } { ${minimalAgent} } { ${more} }`);

for (const program of ['connector', 'agent'] as const) {
  nixTest(`the unit and the file of the ${program} are as recorded`, async () => {
    const { etc, units } = await both('');
    const file: unknown = JSON.parse(etc[`homeport/${program}.json`] ?? '');

    await expect(units[`homeport-${program}`]).toMatchFileSnapshot(join(golden, `homeport-${program}.service`));
    await expect(`${JSON.stringify(file, null, 2)}\n`).toMatchFileSnapshot(join(golden, `${program}.json`));
  });
}

nixTest('systemd finds nothing wrong with any unit that the modules can make', async () => {
  const { units, sockets } = await both(`${ALL_HOOKS}${ALL_SERVERS}`);
  // soju's part is only what is added to the unit that NixOS makes.
  const { soju = '', ...own } = units;
  const texts = {
    ...Object.fromEntries(Object.entries(own).map(([name, text]) => [`${name}.service`, text])),
    ...Object.fromEntries(Object.entries(sockets).map(([name, text]) => [`${name}.socket`, text])),
    'soju.service': `${soju}ExecStart=/bin/true\n`,
    'postgresql.target': '[Unit]\nDescription=PostgreSQL\n',
  };

  const { stderr } = await execa('systemd-analyze', ['verify', '--man=no', ...unitFiles(texts)], {
    timeout: DEADLINE_MS,
  });

  expect(Object.keys(texts).sort()).toEqual([
    'homeport-agent.service',
    'homeport-connector.service',
    'homeport-user-units.service',
    'homeport-user-units.socket',
    'postgresql.target',
    'soju.service',
  ]);
  expect(stderr).toBe('');
});

nixTest('systemd finds nothing wrong with the units of several processes', async () => {
  const several = 'services.homeport.connector = { processes = 2; keysFile = "/run/secrets/keys"; };';
  const { units } = await both(`${ALL_SERVERS.replace('nginx', 'caddy')}${several}`);
  const own = Object.entries(units).filter(([name]) => name.startsWith('homeport-connector'));
  const texts = {
    ...Object.fromEntries(own.map(([name, text]) => [`${name}.service`, text])),
    'soju.service': `${units['soju'] ?? ''}ExecStart=/bin/true\n`,
    'postgresql.target': '[Unit]\nDescription=PostgreSQL\n',
  };

  const { stderr } = await execa('systemd-analyze', ['verify', '--man=no', ...unitFiles(texts)], {
    timeout: DEADLINE_MS,
  });

  expect(own.map(([name]) => name)).toEqual(['homeport-connector@1', 'homeport-connector@2']);
  expect(stderr).toBe('');
});

nixTest('systemd takes a percent sign in a path for itself', async () => {
  const { units, sockets } = await both(`
    services.homeport.agent = { listen.unix = "/run/50%n/agent"; userUnits = { user = "ada"; socket = "/run/50%n/user"; }; };
    services.homeport.connector = { stateDirectory = "/var/lib/50%n"; database.sqlite.file = "/var/lib/50%n/c.db"; };
  `);

  expect(sockets['homeport-agent']).toContain('ListenStream=/run/50%%n/agent\n');
  expect(sockets['homeport-user-units']).toContain('ListenStream=/run/50%%n/user\n');
  expect(units['homeport-connector']).toContain('StateDirectory=50%%n\n');
});

/** Configuration, its unit, and the greatest exposure score it may have. */
const scores = [
  ['the connector', `{ ${minimalConnector} }`, 'homeport-connector', 1.1],
  ['the connector with all servers', `{ ${minimalConnector} } { ${ALL_SERVERS} }`, 'homeport-connector', 1.1],
  ['the agent', `{ ${minimalAgent} }`, 'homeport-agent', 1.3],
  ['the agent with all hooks', `{ ${minimalAgent} } { ${ALL_HOOKS} }`, 'homeport-agent', 1.9],
] as const;

for (const [what, configuration, name, limit] of scores) {
  nixTest(`the exposure score of ${what} is at most ${limit}`, async () => {
    const { units } = await evaluated(configuration);

    expect(await exposureOf(unitFiles({ [`${name}.service`]: units[name] ?? '' }))).toBeLessThanOrEqual(limit);
  });
}

/** Writes units to a folder of their own, without the programs of the store, which are not on this machine; gives their paths. */
function unitFiles(units: Readonly<Record<string, string>>): string[] {
  const place = mkdtempSync(join(folder, 'units-'));
  return Object.entries(units).map(([name, text]) => {
    const file = join(place, name);
    writeFileSync(file, text.replaceAll(/\/nix\/store\/\S+/g, '/bin/true'));
    return file;
  });
}

/** Returns the exposure score of systemd-analyze, from 0 to 10. */
async function exposureOf(files: readonly string[]): Promise<number> {
  const { stdout } = await execa('systemd-analyze', ['security', '--offline=true', '--no-pager', ...files], {
    timeout: DEADLINE_MS,
  });
  const score = /Overall exposure level for \S+: ([0-9.]+)/.exec(stdout)?.[1];
  if (score === undefined) throw new Error(`systemd-analyze told no exposure: ${stdout}`);
  return Number(score);
}
