import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { has } from '../../harness/capabilities.ts';
import { blocksOf } from '../../harness/guide-blocks.ts';
import { emptyTarget } from '../../harness/move.ts';
import { needs } from '../../harness/needs.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { type ConnectorStack, connectorCommand, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { fileDatabase, type TestDatabase } from '../../harness/test-database.ts';

const ROW = 3;
/** Ports of the guide, before the first one of a process. */
const GUIDE = { port: 8_459, metrics: 9_459 };
const RULES = 'share/prometheus/homeport-connector.rules.yml';
const DASHBOARD = 'share/grafana/homeport-connector.json';

const guideTest = needs('process namespaces');
let own: Awaited<ReturnType<typeof tempFolder>>;
let stack: ConnectorStack;
let database: TestDatabase;
let folder: string;
let shell: ManagedProcess;
let nginx: ManagedProcess;
let before: { port: number; metrics: number };

/** A text of the guide with ports that are free here. */
const here = (text: string): string =>
  text
    .replaceAll(String(GUIDE.port), String(before.port))
    .replaceAll(String(GUIDE.metrics), String(before.metrics))
    .replaceAll(/\b846([0-2])\b/g, (_, n: string) => String(before.port + 1 + Number(n)));

beforeAll(async () => {
  if (!has('process namespaces')) return;
  // Its own connector makes the configuration, and then gives way.
  own = await tempFolder();
  stack = await startConnectorStack({ database: fileDatabase(join(own.path, 'own.db')) });
  await stack.connector.stop();
  database = await emptyTarget();
  before = { port: await beforeRow(), metrics: await beforeRow() };
  folder = join(stack.folder, 'empty');
  await mkdir(folder, { mode: 0o700 });
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  const changes = {
    listen: { port: before.port + 1 },
    stateDirectory: join(folder, 'state'),
    database: database.config,
  };
  await writeFile(join(folder, 'connector.json'), JSON.stringify({ ...config, ...changes }));
  const script = blocksOf('scale.md', 'sh').join('\n');
  shell = startProcess({
    name: 'the shell of the guide',
    // Its end ends all that it has started.
    command: [
      ...(['unshare', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'] as const),
      ...[
        'bash',
        '-ec',
        `${here(script)}\ntouch done\nuntil [ -e kill ]; do sleep 1; done\nkill -9 %2\nsleep infinity`,
      ],
    ],
    cwd: folder,
    env: { PATH: `${process.cwd()}/bin:${process.env['PATH']}` },
    logFile: join(folder, 'shell.log'),
  });
  nginx = startProcess({ name: 'nginx', command: ['/usr/sbin/nginx', '-e', 'stderr', '-c', await nginxFile()] });
});

afterAll(async () => {
  // None has to hand over.
  for (const each of [shell, nginx]) each?.kill('SIGKILL');
  await Promise.all([shell?.ended, nginx?.ended]);
  await database?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await own?.[Symbol.asyncDispose]();
});

const done = () =>
  waitFor('the commands of the guide have run', () => readFile(join(folder, 'done')), { process: shell });

const accountsLine = async (): Promise<string> => {
  const [program, ...args] = connectorCommand(join(folder, 'connector-1.json'), 'doctor');
  const { stdout } = await execa(program, args, { reject: false });
  return stdout.split('\n').find((line) => / accounts /.test(line)) ?? '';
};
const slotsIn = (line: string): string[] => [...line.matchAll(/ for (\d+) \(/g)].map(([, slots = '']) => slots);

guideTest('the commands of the guide make three processes from an empty folder, which share the accounts', async () => {
  await done();

  await waitFor(
    'the slots are spread',
    async () =>
      slotsIn(await accountsLine())
        .toSorted()
        .join() === '21,21,22',
  );
  expect(await readFile(join(folder, 'shell.log'), 'utf8')).toMatch(/^ok +processes +/m);
});

guideTest('each metric that the alerts and the dashboard name is shown by a process of three', async () => {
  const shown = await Promise.all(
    Array.from({ length: ROW }, async (_, n) => {
      const answer = await fetch(`http://127.0.0.1:${before.metrics + 1 + n}/metrics`);
      return [...(await answer.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    }),
  );
  const named = `${await readFile(RULES, 'utf8')}${await readFile(DASHBOARD, 'utf8')}`.match(
    /\bhomeport_connector_\w+/g,
  );
  const metrics = new Set(named?.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')));

  expect(metrics.size).toBeGreaterThan(20);
  expect([...metrics].filter((name) => !shown.flat().includes(name))).toEqual([]);
});

guideTest('an agent that signs in through the nginx of the guide goes on when a process is killed', async () => {
  await using ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
  await connected(ada);

  await writeFile(join(folder, 'kill'), '');
  await waitFor('two processes have all slots', async () => {
    const slots = slotsIn(await accountsLine()).map(Number);
    return slots.length === ROW - 1 && slots.reduce((sum, each) => sum + each, 0) === 64;
  });

  const send = { channel: '#room', text: 'still here', idempotency_key: 'still-here' };
  await waitFor('the line is on IRC', async () => (await ada.call('send_message', send))['status'] === 'echoed');
});

/** Returns a port after which three are free. */
async function beforeRow(): Promise<number> {
  const first = await freePort();
  const others: number[] = [];
  for (let n = 1; n < ROW; n += 1) {
    const port = await freePort(() => first + n).catch(() => undefined);
    if (port === undefined) return beforeRow();
    others.push(port);
  }
  return first - 1;
}

/** The site of the guide to proxies, without TLS, on the port of the stack's base address. */
async function nginxFile(): Promise<string> {
  const [upstream = ''] = blocksOf('scale.md', 'nginx');
  const [site = ''] = blocksOf('proxies.md', 'nginx');
  const location = /location \/ \{.*?\}/s
    .exec(site)?.[0]
    .replace(/proxy_pass .*;/, 'proxy_pass http://homeport-connector;');
  const server = `server { listen 127.0.0.1:${new URL(stack.baseUrl).port}; ${location} }`;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const text = `daemon off; master_process off; pid ${folder}/nginx.pid; events {}
http { access_log off; ${places.join(' ')} ${here(upstream)} ${server} }`;
  const file = join(folder, 'nginx.conf');
  await writeFile(file, text);
  return file;
}
