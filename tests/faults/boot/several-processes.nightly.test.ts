import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { newKeys, textOf } from '../../../src/connector/store/key-file.ts';
import { bootNixos, evaluateBooted } from '../../harness/booted-nixos/boot.ts';
import { facts } from '../../harness/booted-nixos/facts.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const NUMBERS = [1, 2, 3];
const OPTIONS = `services.homeport.connector = {
  processes = ${NUMBERS.length};
  keysFile = "/var/lib/secrets/keys";
  metricsListen.port = 9470;
  rateLimits.perAddress = 100000;
};`;
const FIRST_PORT = 8_460;
const FIRST_METRICS_PORT = 9_470;
const NGINX = '/etc/nginx/nginx.conf';

const capabilities: Capability[] = ['NIXPKGS_LIB or <nixpkgs/lib>', 'systemd containers'];
const bootTest = needs(...capabilities);

let container: SystemdContainer;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  container = await bootNixos({ options: OPTIONS, secrets: { keys: textOf(newKeys()) } });
});

afterAll(() => container?.[Symbol.asyncDispose]());

const unitOf = (n: number): string => `homeport-connector@${n}`;
const property = (unit: string, name: string) =>
  container.run('systemctl', 'show', '--value', `--property=${name}`, unit);
const pids = () => Promise.all(NUMBERS.map((n) => property(unitOf(n), 'MainPID')));
const shell = (script: string) => container.run('sh', '-ec', script);

/** Returns the status of an answer; 000 without one. */
const statusOf = async (url: string, ...options: string[]): Promise<string> =>
  (await container.attempt('curl', '--silent', '--output', '/dev/null', '--write-out', '%{http_code}', ...options, url))
    .output;
const health = (n: number) => statusOf(`http://127.0.0.1:${FIRST_PORT + n - 1}/healthz`);
const allServe = () =>
  waitFor('each process serves', async () =>
    (await Promise.all(NUMBERS.map(health))).every((status) => status === '200'),
  );

/** The loop of the guide. */
const restartInTurn = () => shell(`for i in ${NUMBERS.join(' ')}; do systemctl restart homeport-connector@$i; done`);

bootTest(
  'each unit has the next ports and a state directory of its own, and all serve at the first start',
  async () => {
    await allServe();

    for (const n of NUMBERS) {
      expect(await property(unitOf(n), 'ActiveState')).toBe('active');
      expect(await property(unitOf(n), 'NRestarts')).toBe('0');
      const metrics = await shell(`curl --silent --fail http://127.0.0.1:${FIRST_METRICS_PORT + n - 1}/metrics`);
      expect(metrics).toContain('homeport_connector_account_slots');
      const directory = `homeport-connector${n === 1 ? '' : `-${n}`}`;
      expect(await shell(`ls /var/lib/${directory}`)).not.toContain('keys.json');
      expect(await property(unitOf(n), 'StateDirectory')).toBe(directory);
    }
  },
);

bootTest('doctor, invite and migrate work with the configuration of each process', async () => {
  const doctor = await waitFor('the slots are spread', async () => {
    const { output } = await command('doctor', '--json');
    const { checks } = JSON.parse(output) as { checks: { name: string; ok: boolean; says: string }[] };
    const line = checks.find(({ name }) => name === 'accounts');
    return [...(line?.says.matchAll(/ for 2[12] \(/g) ?? [])].length === NUMBERS.length && checks;
  });
  expect(doctor.filter(({ ok, name }) => !ok && ['soju admin socket', 'database', 'processes'].includes(name))).toEqual(
    [],
  );

  for (const n of NUMBERS) {
    const file = `/etc/homeport/connector${n === 1 ? '' : `-${n}`}.json`;
    expect(await command('invite', `guest-${n}`, '--config', file)).toMatchObject({ status: 0 });
    expect(await command('migrate', '--config', file)).toMatchObject({
      status: 0,
      output: 'the database is up to date',
    });
  }
});

bootTest('one reload reaches all processes, and none restarts', async () => {
  const before = await pids();
  const origin = 'https://inspector.example.org';
  for (const file of ['connector', 'connector-2', 'connector-3']) {
    const path = `/etc/homeport/${file}.json`;
    const config = JSON.parse(await container.run('cat', path)) as object;
    const changed = JSON.stringify({ ...config, corsOrigins: [origin] });
    await container.run('sh', '-c', 'printf %s "$2" >"$1"', 'sh', path, changed);
  }

  await shell("systemctl reload 'homeport-connector@*'");

  const headers = ['--request', 'OPTIONS', '--header', `Origin: ${origin}`, '--dump-header', '-'];
  for (const n of NUMBERS) {
    await waitFor('the process lets the origin in', async () => {
      const { output } = await container.attempt(
        ...(['curl', '--silent', ...headers, '--header', 'Access-Control-Request-Method: POST'] as const),
        ...(['--header', `Host: ${facts.host}`, `http://127.0.0.1:${FIRST_PORT + n - 1}/mcp`] as const),
      );
      return output.toLowerCase().includes(`access-control-allow-origin: ${origin}`);
    });
  }
  expect(await pids()).toEqual(before);
});

bootTest('processes restarted one after another fail no request behind Caddy', async () => {
  const options = ['--insecure', '--max-time', '60', '--resolve', `${facts.host}:443:127.0.0.1`];
  const url = `${facts.baseUrl}/.well-known/oauth-authorization-server`;
  await waitFor('Caddy passes requests on', async () => (await statusOf(url, ...options)) === '200');
  const before = await pids();

  const statuses = await asking(url, options, restartInTurn);

  expect([...new Set(statuses)]).toEqual(['200']);
  const after = await pids();
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

bootTest('processes restarted one after another fail no request behind nginx', async () => {
  const { nginx } = await evaluateBooted(
    `${OPTIONS} services.homeport.connector.nginx.enable = true; services.homeport.connector.caddy.enable = lib.mkForce false;`,
  );
  await container.run(
    'sh',
    '-c',
    'mkdir -p /etc/nginx /var/lib/nginx && printf %s "$2" >"$1"',
    'sh',
    NGINX,
    nginxOf(nginx),
  );
  await container.run('nginx', '-t', '-q', '-c', NGINX);
  await container.run('systemd-run', '--quiet', '--unit=the-proxy', '--service-type=exec', 'nginx', '-c', NGINX);
  const options = ['--max-time', '60', '--header', `Host: ${facts.host}`];
  const url = 'http://127.0.0.1:8081/.well-known/oauth-authorization-server';
  await waitFor('nginx passes requests on', async () => (await statusOf(url, ...options)) === '200');

  const statuses = await asking(url, options, restartInTurn);

  expect([...new Set(statuses)]).toEqual(['200']);
});

/** The part of nginx's configuration that the module asks for, without TLS: that is of NixOS. */
function nginxOf({ upstreams, virtualHosts }: { upstreams: unknown; virtualHosts: unknown }): string {
  const groups = Object.entries(upstreams as Record<string, { servers: Record<string, Record<string, number>> }>).map(
    ([name, { servers }]) =>
      `upstream ${name} { ${Object.entries(servers)
        .map(
          ([address, options]) =>
            `server ${[address, ...Object.entries(options).map((each) => each.join('='))].join(' ')};`,
        )
        .join(' ')} }`,
  );
  const sites = Object.entries(
    virtualHosts as Record<string, { locations: Record<string, { proxyPass: string; extraConfig: string }> }>,
  ).map(([name, { locations }]) => {
    const each = Object.entries(locations).map(
      ([path, { proxyPass, extraConfig }]) => `location ${path} { proxy_pass ${proxyPass}; ${extraConfig} }`,
    );
    return `server { listen 127.0.0.1:8081; server_name ${name}; ${each.join(' ')} }`;
  });
  return `daemon off; pid /run/nginx.pid; error_log stderr; events {} http { access_log off; ${groups.join(' ')} ${sites.join(' ')} }`;
}

bootTest('a stop of all instances ends each, and a start of them makes all serve again', async () => {
  await shell("systemctl stop 'homeport-connector@*'");

  for (const n of NUMBERS) {
    expect(await property(unitOf(n), 'ActiveState')).toBe('inactive');
    expect(await property(unitOf(n), 'Result')).toBe('success');
  }
  await shell(`systemctl start ${NUMBERS.map(unitOf).join(' ')}`);
  await allServe();
});

/** Runs a command of the connector as root, with the secrets that the unit sees. */
function command(...words: string[]) {
  const secrets = `CREDENTIALS_DIRECTORY=/run/credentials/${unitOf(1)}.service`;
  return container.attempt('env', '--chdir=/', secrets, `${REPOSITORY_INSIDE}/bin/homeport-connector`, ...words);
}

/** Asks an address again and again while something goes on, and returns the statuses. */
async function asking(url: string, options: readonly string[], meanwhile: () => Promise<unknown>): Promise<string[]> {
  const statuses: string[] = [];
  let hasEnded = false;
  const done = meanwhile().finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) statuses.push(await statusOf(url, ...options));
  await done;
  return statuses;
}
