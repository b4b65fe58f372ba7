import { appendFileSync, chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { needs } from '../../harness/needs.ts';
import { AGENT_TOKEN, type AgentFiles, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

const hungTest = needs('FUSE', 'mount namespaces');

/** `node with-hung-mounts.ts …` in a mount namespace of its own. */
const behindHung = (...mounts: string[]): [string, ...string[]] => [
  'unshare',
  '--mount',
  process.execPath,
  'tests/integration/agent/with-hung-mounts.ts',
  mounts.join(),
];

/** Returns the beginning of a command that runs behind hung mounts at `directory/0` and so on. */
const behindHungMounts = (directory: string, count: number): [string, ...string[]] =>
  behindHung(...Array.from({ length: count }, (_, index) => `${directory}/${index}`));

for (const count of [1, 2, 4]) {
  hungTest(`with ${count} hung mounts the rest is reported in time, and SIGTERM ends the agent`, async () => {
    const port = await freePort();
    using files = writeAgentFiles(port);
    const agent = await startBehind(files, port, count);
    const get = async (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${AGENT_TOKEN}` } });

    using waited = watchIdle();
    const pending = get('/v1/report');
    expect(await Promise.race([pending.then(() => 'reported'), get('/healthz').then(({ status }) => status)])).toBe(
      200,
    );
    const report = hostReport.parse(await (await pending).json());
    expect(waited.read()).toBeLessThan(4_000);

    expect(report).toMatchObject({ cpus: 3, memory: {}, load: [1.62, 0.87, 0.44] });
    // The root directory sorts first, so its answer does not depend on free threads.
    expect(report.disks?.map(({ mount }) => mount)).toEqual(['/']);
    for (let index = 0; index < count; index += 1) {
      expect(report.errors['disks']).toContain(`${files.directory}/${index} does not answer`);
    }
    expect(await (await get('/metrics')).text()).toContain('monitor_agent_collect_errors_total{collector="disks"} 1\n');

    using ending = watchIdle();
    agent.kill('SIGTERM');
    expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
    expect(ending.read()).toBeLessThan(5_000);
  });
}

hungTest('printing network file systems whose servers are gone names them beside the local disks', async () => {
  using files = writeAgentFiles(1);
  const { tokenFile, configFile } = files;
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, networkFilesystems: true } }));
  const tree = writeTree(files, 4, 'nfs4');
  // A local disk that is asked last: its mount point sorts behind theirs.
  const local = `6 1 0:99 / ${files.directory}/bin rw - ext4 /dev/last rw\n`;
  mkdirSync(join(files.directory, 'bin'));
  appendFileSync(join(tree, '1/mountinfo'), local);
  const [program, ...args] = [
    ...behindHungMounts(files.directory, 4),
    ...agentCommand('report', '--config', configFile, '--procfs', tree),
  ] as const;

  const { stdout } = await execa(program, args, { timeout: 120_000, killSignal: 'SIGKILL' });

  const { disks, errors } = hostReport.parse(JSON.parse(stdout));
  expect(disks?.map(({ device }) => device)).toEqual(['/dev/root', '/dev/last']);
  expect(errors['disks']?.match(/does not answer|was not asked/g)).toEqual([
    ...Array(2).fill('does not answer'),
    ...Array(2).fill('was not asked'),
  ]);
});

hungTest('printing once ends by itself although a mount hangs', async () => {
  using files = writeAgentFiles(1);
  const [program, ...args] = [
    ...behindHungMounts(files.directory, 1),
    ...agentCommand('report', '--procfs', writeTree(files, 1)),
  ] as const;

  const { exitCode, stdout } = await execa(program, args, { timeout: 120_000, killSignal: 'SIGKILL' });

  expect(exitCode).toBe(0);
  expect(hostReport.parse(JSON.parse(stdout)).errors['disks']).toContain(`${files.directory}/0 does not answer: `);
});

hungTest(
  'an account that leads the way to a mount elsewhere, to one that hangs, does not hold the agent up',
  async () => {
    using files = writeAgentFiles(1);
    // Its account has to come to its own directory.
    chmodSync(files.directory, 0o711);
    const procfs = writeTree(files, 0);
    const runs = 12;
    const [program, ...args] = [
      ...behindHung(join(files.directory, 'hung')),
      ...[process.execPath, 'tests/integration/agent/with-swapped-way.ts', files.directory, String(runs)],
      ...agentCommand('report', '--procfs', procfs),
    ] as const;

    const { stdout } = await execa(program, args, { timeout: 400_000, killSignal: 'SIGKILL' });

    expect(JSON.parse(stdout)).toEqual(Array(runs).fill(0));
  },
);

hungTest('a dead /var costs the sections that look there, and the agent answers at once and ends', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = startProcess({
    name: 'homeport-agent',
    command: [...behindHung('/var'), ...agentCommand('run', '--config', files.configFile)],
  });
  const get = async (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${AGENT_TOKEN}` },
      signal: AbortSignal.timeout(60_000),
    });
  await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });

  using waited = watchIdle();
  const pending = get('/v1/report');
  expect(await Promise.race([pending.then(() => 'reported'), get('/healthz').then(({ status }) => status)])).toBe(200);
  const report = hostReport.parse(await (await pending).json());
  expect(waited.read()).toBeLessThan(4_000);

  expect(report.errors['packages']).toBe('could not read /var/lib: /var does not answer');
  expect(report).toMatchObject({ load: expect.any(Array), os: { id: expect.any(String) }, kernel: {} });

  using ending = watchIdle();
  agent.kill('SIGTERM');
  expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
  expect(ending.read()).toBeLessThan(5_000);
});

hungTest(
  'two dead mounts that are file systems of the report and hold programs leave the root directory its answer',
  async () => {
    const port = await freePort();
    using files = writeAgentFiles(port);
    const dead = ['/var', join(files.directory, 'local')] as const;
    const { tokenFile, configFile } = files;
    writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, listen: { port }, postfix: true } }));
    const procfs = writeTree(files, 0);
    const lines = dead.map((mount, id) => `${id + 2} 1 0:${id + 90} / ${mount} rw - xfs /dev/h${id} rw\n`);
    appendFileSync(join(procfs, '1/mountinfo'), lines.join(''));
    const agent = startProcess({
      name: 'homeport-agent',
      command: [
        ...behindHung(...dead),
        '/usr/bin/env',
        // Programs are looked for on a dead mount first.
        `PATH=${dead[1]}:/usr/bin:/bin`,
        ...agentCommand('run', '--config', files.configFile, '--procfs', procfs),
      ],
    });
    const get = async (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${AGENT_TOKEN}` } });
    await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });

    const first = hostReport.parse(await (await get('/v1/report')).json());
    // Answers are kept for ten seconds; what comes after finds the threads taken.
    let second = first;
    await waitFor(
      'another report is collected',
      async () => {
        second = hostReport.parse(await (await get('/v1/report')).json());
        return second.time !== first.time;
      },
      { process: agent, timeoutMs: 20_000 },
    );

    for (const { disks, errors } of [first, second]) {
      expect(disks?.map(({ mount }) => mount)).toEqual(['/']);
      for (const mount of dead) expect(errors['disks']).toContain(`${mount} does not answer`);
      expect(errors['disks']).not.toContain('not asked');
    }
  },
);

hungTest('a second SIGTERM ends the agent at once while a mount hangs', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const agent = await startBehind(files, port, 1);
  const pending = fetch(`http://127.0.0.1:${port}/v1/report`, {
    headers: { authorization: `Bearer ${AGENT_TOKEN}` },
  }).catch(() => undefined);
  await waitFor('the mount is asked', () => agent.output().length > 0 && isThreadBusy(agent.pid));
  agent.kill('SIGTERM');
  await waitFor('it is ending', () => agent.output().includes('"ending"'));
  agent.kill('SIGTERM');

  expect(await agent.ended).toEqual({ exitCode: 1, signal: undefined });
  await pending;
});

for (const dead of ['/run', '/run/dbus', '/run/systemd']) {
  hungTest(`a dead ${dead} below another root directory costs what systemd tells, and the agent answers`, async () => {
    const port = await freePort();
    using files = writeAgentFiles(port);
    const rootfs = join(files.directory, 'root');
    mkdirSync(join(rootfs, 'run/systemd/system'), { recursive: true });
    const agent = startProcess({
      name: 'homeport-agent',
      command: [
        ...behindHung(`${rootfs}${dead}`),
        ...agentCommand('run', '--config', files.configFile, '--rootfs', rootfs),
      ],
    });
    const get = async (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${AGENT_TOKEN}` },
        signal: AbortSignal.timeout(60_000),
      });
    await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });

    const pending = get('/v1/report?unit=a.service');
    expect((await get('/healthz')).status).toBe(200);
    const { errors } = hostReport.parse(await (await pending).json());

    // Both ask at once: on a slow machine one of them gives up before its turn.
    const causes = ['does not answer', 'was not asked'].map((cause) => `${rootfs}${dead} ${cause}`);
    const costs = [errors['failedUnits'], errors['services']];
    expect(costs.filter((error) => !causes.some((cause) => error?.includes(cause)))).toEqual([]);
    expect(costs.some((error) => error?.includes(`${rootfs}${dead} does not answer`))).toBe(true);
    agent.kill('SIGTERM');
    expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
  });
}

hungTest('a dead directory with the socket for user units costs their answers, and the agent answers', async () => {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const dead = join(files.directory, 'dead');
  const userUnits = { user: 'somebody-else', socket: join(dead, 'socket') };
  const { agent: settings } = JSON.parse(readFileSync(files.configFile, 'utf8'));
  writeFileSync(files.configFile, JSON.stringify({ agent: { ...settings, userUnits } }));
  const agent = startProcess({
    name: 'homeport-agent',
    command: [...behindHung(dead), ...agentCommand('run', '--config', files.configFile)],
  });
  const get = async (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${AGENT_TOKEN}` },
      signal: AbortSignal.timeout(60_000),
    });
  await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });

  const pending = get('/v1/report?userUnit=a.service');
  expect((await get('/healthz')).status).toBe(200);
  const { errors } = hostReport.parse(await (await pending).json());

  expect(errors['services']).toContain(`${dead} does not answer`);
  agent.kill('SIGTERM');
  expect(await agent.ended).toEqual({ exitCode: 0, signal: undefined });
});

/** A tree that says `count` hung mounts are file systems of this type, and the root directory is a disk. */
function writeTree({ directory }: AgentFiles, count: number, type = 'xfs'): string {
  const procfs = join(directory, 'proc');
  cpSync('tests/golden/agent/root/proc', procfs, { recursive: true });
  const hung = Array.from(
    { length: count },
    (_, id) => `${id + 2} 1 0:${id + 90} / ${directory}/${id} rw - ${type} /dev/h${id} rw`,
  );
  writeFileSync(join(procfs, '1/mountinfo'), ['1 0 0:80 / / rw - ext4 /dev/root rw', ...hung, ''].join('\n'));
  return procfs;
}

/** Whether a call to a file system waits in the kernel, in a thread of Node's pool. */
function isThreadBusy(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).some((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/wchan`, 'utf8').includes('fuse'),
  );
}

async function startBehind(files: AgentFiles, port: number, count: number): Promise<ManagedProcess> {
  const agent = startProcess({
    name: 'homeport-agent',
    command: [
      ...behindHungMounts(files.directory, count),
      ...agentCommand('run', '--config', files.configFile, '--procfs', writeTree(files, count)),
    ],
  });
  await waitFor('the agent answers', async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, {
    process: agent,
  });
  return agent;
}
