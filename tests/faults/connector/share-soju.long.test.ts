import { afterAll, beforeAll, expect } from 'vitest';
import { has } from '../../harness/capabilities.ts';
import { bootGuidedMachine } from '../../harness/guided-machine.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const DROP_IN = '/etc/systemd/system/soju.service.d/homeport.conf';
const CONFIG = '/etc/soju/config';
const FAKES = '/etc/fakes';

const realSystemd = needs('systemd containers');
let machine: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  machine = await bootGuidedMachine();
  await machine.run('rm', DROP_IN);
  await machine.run('systemctl', 'daemon-reload');
  await machine.run('systemctl', 'start', 'soju');
});

afterAll(() => machine?.[Symbol.asyncDispose]());

const share = (...env: string[]) =>
  machine.attempt('env', '--chdir=/', ...env, `${REPOSITORY_INSIDE}/bin/homeport-connector`, 'share-soju');
const isActive = async () => (await machine.attempt('systemctl', 'is-active', 'soju')).output;
const pid = () => machine.run('systemctl', 'show', '--value', '--property=MainPID', 'soju');
const hasDropIn = async () => (await machine.attempt('test', '-e', DROP_IN)).status === 0;

/** A program that stands in front of the machine's own. */
const fake = (name: string, script: string) =>
  machine.run(
    ...(['sh', '-c', 'mkdir -p "$1" && printf "#!/bin/sh\\n%s\\n" "$3" >"$1/$2" && chmod 755 "$1/$2"', 'sh'] as const),
    ...[FAKES, name, script],
  );
const WITH_FAKES = `PATH=${FAKES}:/usr/sbin:/usr/bin`;

realSystemd('a soju without an admin socket goes on unchanged, and the command says what is missing', async () => {
  await machine.run('sed', '-i', 's/^listen unix+admin/#&/', CONFIG);
  await machine.run('systemctl', 'restart', 'soju');
  const before = await pid();

  const { status, complaint } = await share();

  expect(status).toBe(1);
  expect(complaint).toMatch(
    /^homeport-connector: share-soju: nothing was changed, .*write "listen unix\+admin:[^\n]*$/,
  );
  expect(await pid()).toBe(before);
  expect(await hasDropIn()).toBe(false);
  await machine.run('sed', '-i', 's/^#listen unix+admin/listen unix+admin/', CONFIG);
  await machine.run('systemctl', 'restart', 'soju');
});

realSystemd('a command that is killed halfway leaves a soju that starts', async () => {
  for (const killed of ['systemd-sysusers', 'systemctl daemon-reload', 'systemctl restart']) {
    const [name = '', verb = ''] = killed.split(' ');
    await machine.run('rm', '-f', DROP_IN);
    await machine.run('systemctl', 'daemon-reload');
    await machine.run('systemctl', 'restart', 'soju');
    await fake(name, `case "$1" in "${verb}"*) kill -9 $PPID; exit 1;; esac; exec /usr/bin/${name} "$@"`);
    expect((await share(WITH_FAKES)).status, killed).not.toBe(0);
    await machine.run('rm', '-r', FAKES);

    await machine.run('systemctl', 'daemon-reload');
    await machine.run('systemctl', 'restart', 'soju');
    expect(await isActive(), killed).toBe('active');
  }
});

realSystemd('a soju that does not share its socket after all runs without the drop-in', async () => {
  await machine.run('rm', '-f', DROP_IN);
  await machine.run('systemctl', 'daemon-reload');
  await machine.run('systemctl', 'restart', 'soju');
  // The hook asks soju by a program that soju's own unit does not find.
  const hidden = '/etc/systemd/system/soju.service.d/hidden.conf';
  await machine.run('sh', '-c', `printf '[Service]\\nInaccessiblePaths=/usr/bin/sojuctl\\n' >${hidden}`);

  const { status, complaint } = await share();

  expect(status).toBe(1);
  expect(complaint).toMatch(
    /^homeport-connector: share-soju: soju was started anew and does not share [^\n]*; .* was taken back, and soju runs without it$/,
  );
  expect(await isActive()).toBe('active');
  expect(await hasDropIn()).toBe(false);
  await machine.run('rm', hidden);
});

realSystemd(
  'a drop-in that a killed command has left is taken back, too, where soju does not share its socket',
  async () => {
    const hidden = '/etc/systemd/system/soju.service.d/hidden.conf';
    await machine.run('sh', '-c', `printf '[Service]\\nInaccessiblePaths=/usr/bin/sojuctl\\n' >${hidden}`);
    await fake('systemctl', 'case "$1" in restart) kill -9 $PPID; exit 1;; esac; exec /usr/bin/systemctl "$@"');
    expect((await share(WITH_FAKES)).status).not.toBe(0);
    await machine.run('rm', '-r', FAKES);
    expect(await hasDropIn()).toBe(true);

    const { complaint } = await share();

    expect(complaint).toMatch(/ was taken back, and soju runs without it$/);
    expect(await hasDropIn()).toBe(false);
    expect(await isActive()).toBe('active');
    await machine.run('rm', hidden);
    await machine.run('systemctl', 'daemon-reload');
  },
);

realSystemd('of two commands at once the second waits for the first, and finds nothing to do', async () => {
  const both = await Promise.all([share(), share()]);

  expect(both).toMatchObject([
    { status: 0, complaint: '' },
    { status: 0, complaint: '' },
  ]);
  const outputs = both.map(({ output }) => output);
  expect(outputs.filter((output) => output.includes('ran systemctl restart soju.service'))).toHaveLength(1);
  expect(outputs.filter((output) => output.includes('nothing to do: soju shares'))).toHaveLength(1);
  await machine.run('rm', '-f', DROP_IN);
});

realSystemd('soju is started anew once, however often the command runs', async () => {
  expect(await share()).toMatchObject({ status: 0, complaint: '' });
  const first = await pid();

  const again = await share();

  expect(again).toMatchObject({ status: 0, complaint: '' });
  expect(again.output).toMatch(/^nothing to do: soju shares /);
  expect(await pid()).toBe(first);
});
