import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { serviceHardening } from '../../../src/kernel/systemd/hardening.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { AGENT_TOKEN } from '../../harness/start-agent.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const realSystemd = needs('systemd containers');

/** Account whose units are asked about, without a session of its own. */
const ada = { name: 'ada', uid: 4321 };
const runtime = `/run/user/${ada.uid}`;

const section = (name: string, directives: Readonly<Record<string, string | boolean | readonly string[]>>): string =>
  Object.entries(directives)
    .flatMap(([key, value]) => [value].flat().map((one) => `${key}=${one}\n`))
    .reduce((whole, line) => whole + line, `[${name}]\n`);

const unit = '[Unit]\nDefaultDependencies=no\n';
/** The built agent, as it is shipped. */
const exec = (...words: string[]): string =>
  [process.execPath, `${process.cwd()}/dist/agent.cjs`, ...words]
    .join(' ')
    .replaceAll(process.cwd(), REPOSITORY_INSIDE);

/** The units that the NixOS module makes. */
const units = {
  'homeport-agent.socket': `${unit}${section('Socket', {
    ListenStream: ['/run/homeport/agent.sock', '127.0.0.1:9105'],
    SocketMode: '0666',
  })}`,
  'homeport-agent.service': `${unit}${section('Service', {
    ...serviceHardening.agent,
    ExecStart: exec('run', '--config', '/etc/homeport/agent.json'),
    LoadCredential: 'token:/etc/homeport/token',
    SupplementaryGroups: 'homeport-user-units',
  })}`,
  'homeport-user-units.socket': `${unit}${section('Socket', {
    ListenStream: '/run/homeport-user-units/socket',
    SocketGroup: 'homeport-user-units',
    SocketMode: '0660',
  })}`,
  'homeport-user-units.service': `${unit}${section('Service', {
    ...serviceHardening.userUnits,
    User: ada.name,
    ExecStart: exec('user-units'),
  })}`,
  'ada.service': `${unit}${section('Service', {
    // When it has started, her unit has started, too.
    Type: 'notify',
    User: ada.name,
    Environment: `XDG_RUNTIME_DIR=${runtime}`,
    ExecStartPre: `+/usr/bin/install -d -o ${ada.name} ${runtime}`,
    ExecStart: '/lib/systemd/systemd --user --unit=hers.service',
    Delegate: true,
  })}`,
};

const files = {
  'etc/homeport/token': AGENT_TOKEN,
  'etc/homeport/agent.json': JSON.stringify({
    agent: { tokenFile: '$CREDENTIALS_DIRECTORY/token', userUnits: { user: ada.name } },
  }),
  'etc/systemd/user/hers.service': `${unit}${section('Service', { ExecStart: '/bin/sleep 100000' })}`,
};

let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  // The bus accepts only accounts in this file, or in a module that knows systemd's dynamic accounts.
  const account = (name: string, uid: number) => `${name}:x:${uid}:${uid}::/:/bin/sh\n`;
  const accounts = [account(ada.name, ada.uid), account('homeport-agent', 4323)].join('');
  container = await bootSystemd(units, {
    ...files,
    'etc/passwd': `${readFileSync('/etc/passwd', 'utf8')}${accounts}`,
    'etc/group': `${readFileSync('/etc/group', 'utf8')}${ada.name}:x:${ada.uid}:\nhomeport-user-units:x:4322:\nhomeport-agent:x:4323:\n`,
  });
  await container.run('chmod', '-R', 'a+rX', '/etc');
  await container.run('systemctl', 'start', 'homeport-agent.socket', 'homeport-user-units.socket');
});

afterAll(() => container?.[Symbol.asyncDispose]());

const report = async (query: string) => hostReport.parse(JSON.parse(await get(`/v1/report?${query}`)));

realSystemd('in its sandbox the agent answers at the sockets systemd passed to it', async () => {
  const { services, errors, failedUnits } = await report('unit=homeport-agent.service');

  expect(failedUnits).toEqual([]);
  expect(Object.keys(errors)).not.toContain('failedUnits');
  expect(services).toEqual([
    { unit: 'homeport-agent.service', user: '', load: 'loaded', active: 'active', sub: 'running', result: 'success' },
  ]);
  const overTcp = `exec 3<>/dev/tcp/127.0.0.1/9105; printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`;
  expect(await container.run('bash', '-c', overTcp)).toMatch(/^HTTP\/1\.1 200 OK/);
});

realSystemd("a user's units are told once the user's own manager runs, and until then why not", async () => {
  const before = await report('userUnit=nobodys.service&unit=test.target');

  expect(before.services).toEqual([
    { unit: 'nobodys.service', user: ada.name, load: '', active: '', sub: '', result: '' },
    { unit: 'test.target', user: '', load: 'loaded', active: 'active', sub: 'active', result: '' },
  ]);
  expect(before.errors.services).toMatch(/^units of ada: could not reach the message bus at \/run\/user\/4321\/bus/);

  await container.run('systemctl', 'start', 'ada.service');

  const after = await report('userUnit=hers.service&userUnit=gone.timer&unit=hers.service');
  expect(after.errors.services).toBeUndefined();
  expect(after.services).toMatchObject([
    { unit: 'hers.service', user: ada.name, load: 'loaded', active: 'active', sub: 'running', result: 'success' },
    { unit: 'gone.timer', user: ada.name, load: 'not-found', service: '', running: false, nextRun: 0 },
    { unit: 'hers.service', user: '', load: 'not-found' },
  ]);
});

realSystemd('nobody else may ask the process that answers for a user', async () => {
  const ask = (account: string) =>
    container.attempt(
      'setpriv',
      `--reuid=${account}`,
      '--clear-groups',
      'test',
      '-w',
      '/run/homeport-user-units/socket',
    );

  expect((await ask('nobody')).status).toBe(1);
  expect((await ask('root')).status).toBe(0);
});

async function get(path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
  request({ socketPath: `${container.rootfs}/run/homeport/agent.sock`, path, headers }, (response) => {
    text(response).then(resolve, reject);
  })
    .on('error', reject)
    .end();
  return promise;
}
