import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { bootNixos, hosts } from '../../harness/booted-nixos/boot.ts';
import { facts } from '../../harness/booted-nixos/facts.ts';
import type { Journey } from '../../harness/booted-nixos/journey.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** The journey ends its own waits, by what its programs do. */
const JOURNEY_DEADLINE_MS = 1_200_000;

const capabilities: Capability[] = ['NIXPKGS_LIB or <nixpkgs/lib>', 'systemd containers', 'Postfix'];
const bootTest = needs(...capabilities);

let container: SystemdContainer;
let folder: Awaited<ReturnType<typeof tempFolder>>;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  folder = await tempFolder();
  container = await bootNixos();
});

afterAll(async () => {
  await container?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const bearer = `Authorization: Bearer ${facts.secrets['agent-token']}`;
const ask = async (path: string): Promise<string> => {
  const answer = await get(facts.agentPort, path, [bearer]);
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(answer.slice(0, 300));
  return answer.slice(answer.indexOf('\r\n\r\n'));
};
const report = async (query = '') => hostReport.parse(JSON.parse(await ask(`/v1/report?${query}`)));
const property = (unit: string, name: string) =>
  container.run('systemctl', 'show', '--value', `--property=${name}`, unit);

bootTest('every unit of the evaluated system is up', async () => {
  for (const unit of ['homeport-agent', 'homeport-connector', 'soju', 'postgresql', 'caddy', 'knot', 'postfix']) {
    expect(await property(unit, 'ActiveState'), unit).toBe('active');
    expect(await property(unit, 'NRestarts'), unit).toBe('0');
  }
  expect(await container.run('systemctl', '--failed', '--plain', '--no-legend')).toBe('');
});

bootTest('the report has the sections of every hook, and no error', async () => {
  const found = await waitFor('a report without errors', async () => {
    const answer = await report('unit=knot.service&userUnit=asked.service');
    if (Object.keys(answer.errors).length > 0) throw new Error(JSON.stringify(answer.errors));
    return answer;
  });

  expect(found).toMatchObject({
    failedUnits: [],
    knot: [{ name: 'example', serial: 7 }],
    postfix: { messages: 0 },
    // A tunnel of another program than the kernel answers root alone.
    wireguard: [],
    services: [
      { unit: 'knot.service', active: 'active' },
      { unit: 'asked.service', user: facts.owner, active: 'active' },
    ],
  });
});

bootTest(
  'the journey of the demo succeeds through the proxy, and no line is lost while soju restarts and is killed',
  async () => {
    const [names, authority] = [join(folder.path, 'hosts'), join(folder.path, 'authority.pem')];
    writeFileSync(names, hosts);
    const certificate = await waitFor('the proxy has its authority', () =>
      readFileSync(join(container.rootfs, facts.authority), 'utf8'),
    );
    writeFileSync(authority, certificate);
    const files = join(folder.path, 'journey');
    mkdirSync(files);
    const leader = String(container.leader);
    const before = await property('homeport-connector', 'MainPID');
    // The journey runs in the container's network, and with its names: everything else is that of this machine.
    const { stdout } = await execa(
      'nsenter',
      [
        ...['--target', leader, '--net', '--', 'unshare', '--mount', '--', 'sh', '-c'],
        ...['mount --bind "$0" /etc/hosts && exec "$@"', names, process.execPath],
        ...['tests/harness/booted-nixos/journey.ts', leader, files],
      ],
      { env: { NODE_EXTRA_CA_CERTS: authority }, timeout: JOURNEY_DEADLINE_MS, stderr: 'inherit' },
    );
    const { steps, interrupted } = JSON.parse(stdout) as Journey;

    expect(steps.filter(({ outcome }) => outcome !== 'proved')).toEqual([]);
    expect(interrupted?.stored.toReversed()).toEqual(interrupted?.said);
    // An end of soju is not an end of the connector.
    expect(await property('homeport-connector', 'MainPID')).toBe(before);
  },
  JOURNEY_DEADLINE_MS,
);

/** Changes a file of the container as a switch of the system would, and reloads its unit. */
async function reconfigure(program: string, change: (config: Record<string, unknown>) => void): Promise<void> {
  const file = `/etc/homeport/${program}.json`;
  const config = JSON.parse(await container.run('cat', file)) as Record<string, unknown>;
  change(config);
  await container.run('sh', '-c', 'printf %s "$2" >"$1"', 'sh', file, JSON.stringify(config));
  await container.run('systemctl', 'reload', `homeport-${program}`);
}

bootTest('both programs take on soft options by a reload, without a restart', async () => {
  const pids = () => Promise.all(['homeport-agent', 'homeport-connector'].map((unit) => property(unit, 'MainPID')));
  const before = await pids();
  const origin = 'https://inspector.example.org';

  await reconfigure('agent', (config) => Object.assign(config['agent'] as object, { unameInfo: true }));
  await reconfigure('connector', (config) => Object.assign(config, { corsOrigins: [origin] }));

  await waitFor('the agent tells its name', async () => (await ask('/metrics')).includes('\nnode_uname_info{'));
  const headers = [`Origin: ${origin}`, 'Access-Control-Request-Method: POST'];
  await waitFor('the connector lets the origin in', async () =>
    (await get(8_460, '/mcp', headers, 'OPTIONS')).toLowerCase().includes(`access-control-allow-origin: ${origin}`),
  );
  expect(await pids()).toEqual(before);
});

/** Returns the answer of a unit of the container on one of its ports. */
async function get(port: number, path: string, headers: string[] = [], method = 'GET'): Promise<string> {
  const lines = [`${method} ${path} HTTP/1.0`, 'Host: localhost', ...headers, '', ''].join('\r\n');
  return container.run('bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; printf %s "$1" >&3; cat <&3`, 'bash', lines);
}
