import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Greatest exposure scores of the connector, times ten: with an account that systemd makes for it, and with one that PostgreSQL knows. */
const EXPOSURE_TIMES_TEN = { plain: 11, known: 12 };

const UNIT = 'homeport-connector.service';

test('without a configuration a dry run shows one to fill in, what to do with it, and the unit, which is that of the NixOS module', async () => {
  const { folder, stdout, exitCode, unit, fault, exceeds } = await judged(undefined);

  expect(exitCode).toBe(0);
  expect(stdout).toContain(`would make ${folder}/secrets, for root alone\n`);
  expect(stdout).toContain(`would write ${folder}/secrets/admin, readable by root alone\n`);
  expect(stdout).toContain(`    sudo install -m 600 /dev/stdin ${folder}/secrets/oidc\n`);
  expect(stdout).not.toMatch(/[0-9a-f]{64}/);
  expect(comparable(unit)).toEqual(
    [
      ...comparable(readFileSync('tests/golden/generate/rendered/homeport-connector.service', 'utf8')),
      'SupplementaryGroups=homeport-soju',
    ].sort(),
  );
  expect(unit).toContain(`\nExecStart=${process.cwd()}/bin/homeport-connector run --config ${folder}/connector.json\n`);
  expect(unit).toContain(
    `\nLoadCredential=oidc:${folder}/secrets/oidc\nLoadCredential=admin:${folder}/secrets/admin\n`,
  );
  expect(fault).toBe('');
  expect(exceeds[0]).toBe(false);
});

test('each secret of the configuration is a credential, once, and a server that knows the account gets one to know', async () => {
  const { unit, stdout, fault, exceeds } = await judged({
    ...exampleConfig,
    adminTokenFile: '$CREDENTIALS_DIRECTORY/oidc',
    keysFile: '$CREDENTIALS_DIRECTORY/keys',
    legacyClient: { id: 'old', secretFile: '$CREDENTIALS_DIRECTORY/old' },
    oauthRedirectUris: ['https://example.org/back'],
    database: { postgres: {} },
    stateDirectory: '/var/lib/site/homeport',
  });

  expect(unit.match(/^LoadCredential=\w+/gm)?.sort()).toEqual([
    'LoadCredential=keys',
    'LoadCredential=oidc',
    'LoadCredential=old',
  ]);
  expect(unit).toContain('\nStateDirectory=site/homeport\n');
  expect(unit).toContain('\nDynamicUser=no\n');
  expect(unit).toContain('\nUser=homeport-connector\n');
  expect(stdout).toContain(`'u homeport-connector - "Homeport connector" - -'`);
  expect(fault).toBe('');
  expect(exceeds[1]).toBe(false);

  const other = await judged({
    ...exampleConfig,
    database: { postgres: { host: 'db.example.org', tls: 'verify', passwordFile: '$CREDENTIALS_DIRECTORY/db' } },
  });
  expect(other.unit.match(/^LoadCredential=\w+/gm)?.sort()).toEqual([
    'LoadCredential=admin',
    'LoadCredential=db',
    'LoadCredential=oidc',
  ]);
  expect(other.unit).toContain('\nDynamicUser=yes\n');
});

for (const [what, change, exitCode, message] of [
  [
    'a secret the service could not read',
    { adminTokenFile: '/root/admin' },
    1,
    /adminTokenFile: the service could not read \/root\/admin: set it to \$CREDENTIALS_DIRECTORY\/adminTokenFile and put the secret into .*\/secrets\/adminTokenFile$/,
  ],
  [
    'a credential that would be a folder',
    { adminTokenFile: '$CREDENTIALS_DIRECTORY/..' },
    1,
    /adminTokenFile: the service could not read \$CREDENTIALS_DIRECTORY\/\.\.: set it to /,
  ],
  [
    'a state directory the unit may not write',
    { stateDirectory: '/srv/homeport' },
    78,
    /stateDirectory: the service could not use \/srv\/homeport: set it to a directory below \/var\/lib\//,
  ],
  [
    'a state directory that leaves its place',
    { stateDirectory: '/var/lib/../root' },
    78,
    /stateDirectory: the service could not use/,
  ],
  [
    'a database elsewhere',
    { database: { sqlite: { file: '/srv/connector.db' } } },
    78,
    /database\.sqlite\.file: the service could not use \/srv\/connector\.db/,
  ],
  [
    'a port that needs a capability',
    { listen: { port: 443 } },
    78,
    /listen\.port: the service could not use 443: set it to a port from 1024 on/,
  ],
  ['a configuration that is wrong', { settings: {} }, 78, /settings\.ownerLogins/],
] as const) {
  test(`${what} is refused with what to do`, async () => {
    await using folder = await tempFolder();
    const configFile = join(folder.path, 'connector.json');
    writeFileSync(configFile, JSON.stringify({ ...exampleConfig, ...change }));

    const refused = await dryRun('--config', configFile);

    expect(refused.exitCode).toBe(exitCode);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toMatch(message);
  });
}

const realSystemd = needs('systemd containers');
let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  // Without the usual dependencies, which would bring up half a machine.
  const alone = '[Unit]\nDefaultDependencies=no\n';
  container = await bootSystemd(
    { 'network-online.target': alone },
    { [`etc/systemd/system/${UNIT}.d/test.conf`]: alone },
  );
  await container.run('chmod', '-R', 'a+rX', '/etc');
  await container.run('ip', 'link', 'set', 'lo', 'up');
});

afterAll(() => container?.[Symbol.asyncDispose]());

/** A command in the root directory: the one tests run in is not there. */
const homeport = (...words: string[]) =>
  container.attempt('env', '--chdir=/', `${REPOSITORY_INSIDE}/bin/homeport-connector`, ...words);
const stateOf = async (unit: string) => (await container.attempt('systemctl', 'is-active', unit)).output;
const processOf = () => container.run('systemctl', 'show', '--property=MainPID', UNIT);
const modeOf = (path: string) => container.run('stat', '-c', '%a %U', path);
const putFile = (path: string, text: string) => container.run('sh', '-c', `printf '%s\\n' '${text}' > ${path}`);

realSystemd(
  'a machine with systemd is told what to fill in, gets a service that answers, and is rid of it with its data kept',
  async () => {
    const first = await homeport('install-units');
    expect(first).toMatchObject({ status: 78, complaint: '' });
    expect(first.output).toMatch(
      /^made \/etc\/homeport\/secrets, for root alone\nwrote \/etc\/homeport\/connector\.json\nwrote \/etc\/homeport\/secrets\/admin, readable by root alone\nnow fill in \/etc\/homeport\/connector\.json:\n/,
    );
    expect(await modeOf('/etc/homeport/connector.json')).toBe('644 root');
    expect(await modeOf('/etc/homeport/secrets')).toBe('700 root');
    expect(await modeOf('/etc/homeport/secrets/admin')).toBe('600 root');
    expect((await container.attempt('test', '-e', `/etc/systemd/system/${UNIT}`)).status).toBe(1);

    const unfilled = await homeport('install-units');
    expect(unfilled).toMatchObject({ status: 78, output: '' });
    for (const option of [
      'baseUrl',
      'ircChannels',
      'settings.ownerLogins',
      'identityProvider.oidc.issuer',
      'bouncer.soju.network.address',
    ]) {
      expect(unfilled.complaint).toContain(option);
    }

    await putFile('/etc/homeport/connector.json', JSON.stringify(exampleConfig));
    const noSecret = await homeport('install-units');
    expect(noSecret.status).toBe(1);
    expect(noSecret.complaint).toMatch(
      /^homeport-connector: identityProvider\.oidc\.clientSecretFile: \/etc\/homeport\/secrets\/oidc does not exist/,
    );
    expect((await container.attempt('test', '-e', `/etc/systemd/system/${UNIT}`)).status).toBe(1);

    await putFile('/etc/homeport/secrets/oidc', 'secret');
    const installed = await homeport('install-units');
    expect(installed).toMatchObject({ status: 0, complaint: '' });
    expect(installed.output.split('\n')).toEqual([
      'kept /etc/homeport/connector.json',
      'kept /etc/homeport/secrets/admin',
      "ran systemd-sysusers --inline 'g homeport-soju -'",
      "checked as the service's account: it can start",
      `wrote /etc/systemd/system/${UNIT}`,
      'ran systemctl daemon-reload',
      `ran systemctl start ${UNIT}`,
      `ran systemctl enable ${UNIT}`,
      'homeport-connector answers on 127.0.0.1 port 8460',
      'its admin token is in /etc/homeport/secrets/admin',
      'soju has no admin socket at /run/soju/admin yet, and nobody is connected to IRC without it: install soju, add "listen unix+admin:///run/soju/admin" to its configuration, then sudo homeport-connector share-soju',
      `check everything it needs with: sudo CREDENTIALS_DIRECTORY=/etc/homeport/secrets ${REPOSITORY_INSIDE}/bin/homeport-connector doctor --config /etc/homeport/connector.json`,
    ]);
    const token = await container.run('cat', '/etc/homeport/secrets/admin');
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const request = `exec 3<>/dev/tcp/127.0.0.1/8460; printf 'GET /metrics HTTP/1.0\\r\\nHost: irc.example.org\\r\\nAuthorization: Bearer ${token}\\r\\n\\r\\n' >&3; head -1 <&3`;
    expect(await container.run('bash', '-c', request)).toContain(' 200 ');

    // Active means that it listens, a reload comes to its end, also one that takes no pipe, and a start that fails says why.
    const property = (name: string) => container.run('systemctl', 'show', '--value', `--property=${name}`, UNIT);
    expect(await property('Type')).toBe('notify');
    const configFile = '/etc/homeport/connector.json';
    await container.run('sh', '-c', `rm ${configFile} && mkfifo ${configFile} && chmod 644 ${configFile}`);
    await container.run('systemctl', 'reload', UNIT);
    await waitFor('the reload has ended', async () => (await property('ActiveState')) === 'active');
    await container.run('rm', configFile);
    await putFile(configFile, '{}');
    expect((await container.attempt('systemctl', 'restart', UNIT)).status).toBe(1);
    expect(await property('StatusText')).toMatch(/connector\.json.*; .*settings/);
    await putFile(configFile, JSON.stringify(exampleConfig));
    expect((await homeport('install-units')).status).toBe(0);

    const started = await processOf();
    const again = await homeport('install-units');
    expect(again.output).toContain(`nothing to do: ${UNIT} as wanted, enabled and active\n`);
    expect(await processOf()).toBe(started);

    await putFile('/etc/homeport/secrets/oidc', 'another secret');
    expect((await homeport('install-units')).output).toContain(`ran systemctl start ${UNIT}`);
    expect(await processOf()).not.toBe(started);

    expect((await homeport('uninstall-units', '--dry-run')).output).toBe(
      `would stop and remove /etc/systemd/system/${UNIT}`,
    );
    expect(await stateOf(UNIT)).toBe('active');
    expect((await homeport('uninstall-units')).output).toContain(`removed /etc/systemd/system/${UNIT}`);
    expect(await stateOf(UNIT)).toBe('inactive');
    expect(await container.run('cat', '/etc/homeport/secrets/admin')).toBe(token);
    await container.run('test', '-s', '/var/lib/homeport-connector/connector.db');
    expect((await homeport('uninstall-units')).output).toMatch(/^no unit below /);
  },
);

realSystemd('a unit that somebody else wrote, and secrets that others may look at, are refused', async () => {
  const path = `/etc/systemd/system/${basename(UNIT)}`;
  await putFile(path, '[Service]');
  expect(await homeport('install-units')).toMatchObject({
    status: 1,
    complaint: `homeport-connector: ${path} was not written by install-units: remove it, or change it by hand`,
  });
  expect((await homeport('uninstall-units')).output).toMatch(/^no unit below /);
  await container.run('rm', path);

  const other = () => homeport('install-units', '--config', '/etc/other/connector.json');
  await container.run('sh', '-c', 'mkdir -p /etc/other/secrets; chmod 755 /etc/other/secrets');
  expect(await other()).toMatchObject({
    status: 1,
    complaint:
      'homeport-connector: /etc/other/secrets holds secrets, and others than root may look into it: chmod 700 /etc/other/secrets',
  });
  await container.run('sh', '-c', 'chmod 700 /etc/other/secrets; chown nobody /etc/other/secrets');
  expect((await other()).complaint).toBe(
    'homeport-connector: /etc/other/secrets holds secrets, and belongs to another account than root: chown root /etc/other/secrets',
  );
});

async function dryRun(...words: string[]) {
  const args = ['src/connector/main.ts', 'install-units', '--dry-run', ...words];
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, { reject: false });
  return { exitCode, stdout, stderr };
}

/** Returns the unit that a dry run shows. */
function unitOf(output: string): string {
  const shown = output.match(/^would write \/etc\/systemd\/system\/homeport-connector\.service:\n((?: {2}.*\n|\n)+)/m);
  return (shown?.[1] ?? '').replaceAll(/^ {2}/gm, '');
}

/** Sections and directives without what differs between systems. */
function comparable(unit: string): string[] {
  return unit
    .split('\n')
    .map((line) => line.replace(/=true$/, '=yes').replace(/=false$/, '=no'))
    .filter(
      (line) => line !== '' && !/^(#|\[|After=|Wants=|ExecStart=|ExecReload=|LoadCredential=|WantedBy=)/.test(line),
    )
    .sort();
}

async function judged(configuration: object | undefined) {
  await using folder = await tempFolder();
  const configFile = join(folder.path, 'connector.json');
  if (configuration !== undefined) writeFileSync(configFile, JSON.stringify(configuration));
  const { stdout, stderr, exitCode } = await dryRun('--config', configFile);
  const file = join(folder.path, UNIT);
  writeFileSync(file, unitOf(stdout));
  const analyze = (...words: string[]) => execa('systemd-analyze', [...words, file], { reject: false });
  const verified = await analyze('verify', '--man=no');
  const exceeds = async (threshold: number) =>
    (await analyze('security', '--offline=true', `--threshold=${threshold}`, '--no-pager')).exitCode !== 0;
  return {
    folder: folder.path,
    stdout,
    stderr,
    exitCode,
    unit: unitOf(stdout),
    fault: verified.stderr,
    exceeds: [await exceeds(EXPOSURE_TIMES_TEN.plain), await exceeds(EXPOSURE_TIMES_TEN.known)],
  };
}
