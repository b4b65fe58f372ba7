import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { needs } from '../../harness/needs.ts';
import { AGENT_TOKEN, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';

const hungTest = needs('FUSE', 'mount namespaces');

const hang = (...paths: string[]): string[] => [
  process.execPath,
  'tests/integration/agent/with-hung-mounts.ts',
  paths.join(),
  '/bin/sleep',
  '100000',
];

for (const [what, mounting, missing, errors] of [
  [
    'a file of /proc that lxcfs answers for',
    () => hang('/proc/meminfo'),
    ['memory'],
    { memory: /^could not read \/proc\/meminfo: \/proc\/meminfo does not answer$/ },
  ],
  [
    'more files of /proc than there are threads',
    () => hang('/proc/meminfo', '/proc/stat', '/proc/uptime', '/proc/loadavg', '/proc/diskstats', '/proc/pressure/cpu'),
    ['memory', 'cpus', 'uptimeSec', 'load'],
    {
      memory: /does not answer|was not asked/,
      cpus: /does not answer|was not asked/,
      load: /does not answer|was not asked/,
      counters: /diskstats/,
    },
  ],
  [
    'the list of control groups and that of modules',
    () => hang('/sys/fs/cgroup', '/sys/module'),
    ['units', 'wireguard'],
    { units: /^could not read \/sys\/fs\/cgroup(\/memory)?: another program/, wireguard: /does not answer/ },
  ],
  [
    'a file of /proc beside one that fails at once',
    (folder: string) => [
      'sh',
      '-c',
      `mkfifo ${join(folder, 'pipe')} && mount --bind ${join(folder, 'pipe')} /proc/pressure/memory && exec "$@"`,
      'sh',
      ...hang('/proc/meminfo', '/proc/pressure/cpu'),
    ],
    ['memory'],
    { memory: /does not answer/, counters: /^could not read \/proc\/pressure\/memory: ESPIPE/ },
  ],
  [
    'a pipe without a writer in place of a file of /proc',
    (folder: string) => [
      'sh',
      '-c',
      `mkfifo ${join(folder, 'pipe')} && mount --bind ${join(folder, 'pipe')} /proc/meminfo && exec sleep 100000`,
    ],
    ['memory'],
    { memory: /^could not read \/proc\/meminfo: ESPIPE/ },
  ],
] as const) {
  hungTest(`with ${what} that never answers all else is reported in time, and SIGTERM ends the agent`, async () => {
    const port = await freePort();
    using files = writeAgentFiles(port);
    const { agent, get, mounter } = await startAgentAndMount(port, files.configFile, mounting(files.directory));

    const pending = get('/v1/report');
    expect((await get('/healthz')).status).toBe(200);
    const report = hostReport.parse(await (await pending).json());
    expect(await (await get('/metrics')).text()).toContain('node_vmstat_pgmajfault');

    for (const section of missing) expect(report).not.toHaveProperty(section);
    expect(report).toMatchObject({ os: {}, disks: expect.any(Array), counters: { net: expect.any(Array) } });
    for (const [section, words] of Object.entries(errors)) expect(report.errors[section]).toMatch(words);

    agent.kill('SIGTERM');
    expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
    mounter.kill('SIGKILL');
    await mounter.ended;
  });
}

for (const [what, file] of [
  ['directory of the configuration', ''],
  ['directory of the token', 'tokens'],
  ['configuration, of which the kernel knows size and mode,', 'known:agent.json'],
  ['token, of which the kernel knows size and mode,', 'known:tokens/token'],
] as const) {
  hungTest(`a reload whose ${what} never answers leaves the one in force, and the agent answers and ends`, async () => {
    const port = await freePort();
    using files = writeAgentFiles(port);
    const tokens = join(files.directory, 'tokens');
    const tokenFile = join(tokens, 'token');
    mkdirSync(tokens);
    copyFileSync(files.tokenFile, tokenFile);
    chmodSync(tokenFile, 0o600);
    const { agent: settings } = JSON.parse(readFileSync(files.configFile, 'utf8'));
    writeFileSync(files.configFile, JSON.stringify({ agent: { ...settings, tokenFile } }));
    const [, known = '', name = ''] = /^(known:)?(.*)$/.exec(file) ?? [];
    const dead = join(files.directory, name).replace(/\/$/, '');
    const { agent, get, mounter } = await startAgentAndMount(port, files.configFile, hang(`${known}${dead}`));

    agent.kill('SIGHUP');

    await waitFor('it is told', () => agent.output().includes('configuration not reloaded: the one in force stays'));
    expect(agent.output()).toContain(`${dead} does not answer`);
    expect((await get('/metrics')).status).toBe(200);
    agent.kill('SIGTERM');
    expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
    mounter.kill('SIGKILL');
    await mounter.ended;
  });
}

hungTest(
  'a command whose interpreter never answers costs its own section, and the agent answers and ends',
  async () => {
    const port = await freePort();
    using files = writeAgentFiles(port);
    const dead = join(files.directory, 'dead');
    const sysfs = join(files.directory, 'sys');
    mkdirSync(join(sysfs, 'module/wireguard'), { recursive: true });
    writeFileSync(join(files.directory, 'wg'), `#!${dead}/interpreter\n`, { mode: 0o755 });
    const agent = startProcess({
      name: 'homeport-agent',
      command: [
        'unshare',
        '--mount',
        process.execPath,
        'tests/integration/agent/with-hung-mounts.ts',
        dead,
        ...agentCommand('run', '--config', files.configFile, '--sysfs', sysfs),
      ],
      env: { PATH: `${files.directory}:${process.env['PATH']}` },
    });
    const get = async (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${AGENT_TOKEN}` },
        signal: AbortSignal.timeout(10_000),
      });
    await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });

    const pending = get('/v1/report');
    expect((await get('/healthz')).status).toBe(200);
    const report = hostReport.parse(await (await pending).json());

    expect(report).not.toHaveProperty('wireguard');
    expect(report.errors['wireguard']).toMatch(/did not end within 5 s/);
    expect(report).toMatchObject({ os: {}, disks: expect.any(Array), counters: { net: expect.any(Array) } });
    agent.kill('SIGTERM');
    expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
  },
);

/** Mounts what stops to answer while the agent runs, as a daemon of lxcfs that hangs: Node itself would not start there. */
async function startAgentAndMount(port: number, configFile: string, mounting: readonly string[]) {
  const agent = startProcess({
    name: 'homeport-agent',
    command: ['unshare', '--mount', ...agentCommand('run', '--config', configFile)],
  });
  const get = async (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${AGENT_TOKEN}` },
      signal: AbortSignal.timeout(10_000),
    });
  await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });
  const mounter = startProcess({
    name: 'mounter',
    command: ['nsenter', '--mount', '--target', String(agent.pid), `--wdns=${process.cwd()}`, '--', ...mounting],
  });
  const program = () => readFileSync(`/proc/${mounter.pid}/comm`, 'utf8').trim();
  await waitFor('all is mounted', () => program() === 'sleep', { process: mounter });
  return { agent, get, mounter };
}
