import { expect, test } from 'vitest';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { BusCallError } from '../../../src/agent/errors.ts';
import { BusConnection } from '../../../src/agent/host/dbus/bus-connection.ts';
import { BusSystemd } from '../../../src/agent/host/systemd/bus-systemd.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const now = () => ({ realtimeUs: 0, monotonicUs: 0 });

/** Starts a real message bus without systemd on it. */
async function startBus(path: string): Promise<ManagedProcess> {
  const daemon = startProcess({
    name: 'dbus-daemon',
    command: ['dbus-daemon', '--session', '--nofork', '--nopidfile', '--nosyslog', `--address=unix:path=${path}`],
  });
  const opens = async () => {
    const connection = new BusConnection({ path, kind: 'bus' });
    await connection.open();
    connection.close();
    return true;
  };
  await waitFor('the bus lets us in', opens, { process: daemon });
  return daemon;
}

test('on a bus without systemd the question fails, also after the bus died and came back', async () => {
  await using folder = await tempFolder();
  const path = `${folder.path}/bus`;
  const systemd = new BusSystemd({ path, kind: 'bus' }, now, 2_000);
  const first = await startBus(path);

  const refused = systemd.failedUnits();
  await expect(refused).rejects.toThrow(/org\.freedesktop\.systemd1/);
  await expect(refused).rejects.toBeInstanceOf(BusCallError);
  await expect(systemd.unitAnswers(['a.service'])).rejects.toThrow(/systemd1/);

  first.kill('SIGKILL');
  await first.ended;
  await expect(systemd.failedUnits()).rejects.toThrow(/bus at \S+\/bus/);

  const second = await startBus(path);
  await expect(systemd.failedUnits()).rejects.toThrow(/org\.freedesktop\.systemd1/);
  systemd.close();
  await second.stop();
});

test('a bus that is stopped in the middle of everything costs one deadline, and is used again when it goes on', async () => {
  await using folder = await tempFolder();
  const path = `${folder.path}/bus`;
  const systemd = new BusSystemd({ path, kind: 'bus' }, now, 300);
  const daemon = await startBus(path);
  await expect(systemd.failedUnits()).rejects.toThrow(/org\.freedesktop\.systemd1/);

  daemon.kill('SIGSTOP');
  await expect(systemd.failedUnits()).rejects.toThrow('no answer within 0.3 s');
  daemon.kill('SIGCONT');

  await expect(systemd.failedUnits()).rejects.toThrow(/org\.freedesktop\.systemd1/);
  systemd.close();
  await daemon.stop();
});
