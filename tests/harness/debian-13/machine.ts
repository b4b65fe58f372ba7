import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../temp-folder.ts';
import { askGuest, type GuestExit, startInGuest } from './guest-agent.ts';

const MAKER = join(import.meta.dirname, 'make-image.sh');

/**
 * Deadline for making the image, in milliseconds; it takes less than two minutes on an idle machine with a quick
 * mirror.
 */
const IMAGE_DEADLINE_MS = 1_500_000;

/** Longest time in which a machine may be idle while a test waits for it, in milliseconds. */
const IDLE_MS = 120_000;

/** Deadline of a whole boot on a busy machine, in milliseconds; two minutes are enough on an idle one. */
const BOOT_MS = 900_000;

/** Memory of the machine in MiB: for the connector's and the agent's Node beside a whole Debian. */
const MEMORY_MIB = 1_536;

/** A running virtual machine with Debian 13. Its disk is as new at each start of it; what it writes is kept until it ends. */
export interface DebianMachine extends AsyncDisposable {
  /** Runs a program as root; returns its standard output. @throws Error when it fails */
  run(program: string, ...args: string[]): Promise<string>;
  /** Like `run`, but accepts every exit status and returns it. */
  attempt(program: string, ...args: string[]): Promise<GuestExit>;
  /** Restarts the whole machine; resolves when it is up again. */
  reboot(): Promise<void>;
}

/** The folder of the image, which is made where it is missing or was made otherwise. */
export async function debianImage(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'homeport/debian-13');
  const stamp = join(folder, 'made-by');
  const maker = createHash('sha256').update(readFileSync(MAKER)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === maker) return folder;
  await execa('nice', [MAKER, folder], { timeout: IMAGE_DEADLINE_MS });
  writeFileSync(stamp, maker);
  return folder;
}

/**
 * Needs `qemu and mmdebstrap`. Boots Debian 13 with its own kernel. The processor is emulated: not every machine of the tests lets its guests have machines of their own.
 * @param disks files that the machine has as /dev/vdb, /dev/vdc and so on, read-only
 */
export async function bootDebian13(disks: readonly string[]): Promise<DebianMachine> {
  const image = await debianImage();
  const folder = await tempFolder();
  const socket = join(folder.path, 'agent.sock');
  const console = join(folder.path, 'console');
  const qemu = startProcess({ name: 'qemu', command: qemuCommand({ image, socket, console, disks }) });
  const dispose = async (): Promise<void> => {
    // Its disk is thrown away with it.
    qemu.kill('SIGKILL');
    await qemu.ended;
    await folder[Symbol.asyncDispose]();
  };
  const wait = <T>(what: string, attempt: () => Promise<T | undefined | false>, timeoutMs = IDLE_MS) =>
    waitFor(what, attempt, { process: qemu, timeoutMs });
  const attempt = async (program: string, ...args: string[]): Promise<GuestExit> =>
    wait(`${program} has ended`, await startInGuest(socket, program, args));
  const run = async (program: string, ...args: string[]): Promise<string> => {
    const { status, output, complaint } = await attempt(program, ...args);
    if (status !== 0) throw new Error(`${[program, ...args].join(' ')}: ${status}: ${complaint}\n${output}`);
    return output;
  };
  const answers = (): Promise<boolean> =>
    askGuest(socket, 'guest-ping').then(
      () => true,
      () => false,
    );
  const isUp = async (): Promise<boolean> => {
    await askGuest(socket, 'guest-ping');
    return /^(running|degraded)$/.test((await attempt('systemctl', 'is-system-running')).output);
  };
  const bootId = () => run('cat', '/proc/sys/kernel/random/boot_id');
  /** Runs steps; if they fail, the error includes the end of the console. */
  const withConsole = async (steps: () => Promise<void>): Promise<void> => {
    try {
      await steps();
    } catch (error) {
      const shown = existsSync(console) ? readFileSync(console, 'utf8').slice(-3_000) : '';
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Debian 13 does not boot: ${reason}\nIts console ends with:\n${shown}`, { cause: error });
    }
  };
  try {
    await withConsole(() => wait('Debian 13 has booted', isUp, BOOT_MS).then(() => undefined));
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    run,
    attempt,
    async reboot() {
      const before = await bootId();
      await startInGuest(socket, 'systemctl', ['reboot']);
      await withConsole(async () => {
        // These are separate waits, since all together may take longer than any wait. A request to a machine on its way
        // down is never answered.
        await wait('it goes down', async () => !(await answers()));
        await wait('it comes up', async () => (await answers()) && (await bootId()) !== before, BOOT_MS);
        await wait('it has booted again', isUp, BOOT_MS);
      });
    },
    [Symbol.asyncDispose]: dispose,
  };
}

interface Parts {
  image: string;
  socket: string;
  console: string;
  disks: readonly string[];
}

function qemuCommand({ image, socket, console, disks }: Parts): [string, ...string[]] {
  return [
    'nice',
    'qemu-system-x86_64',
    ...['-nodefaults', '-no-user-config', '-display', 'none', '-serial', `file:${console}`],
    ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', String(MEMORY_MIB)],
    ...['-kernel', join(image, 'kernel'), '-initrd', join(image, 'initrd')],
    // An emulated processor has no flaws to guard against, and each guard costs it much.
    ...['-append', 'root=/dev/vda rw console=ttyS0 quiet mitigations=off'],
    ...['-drive', `file=${join(image, 'disk')},format=raw,if=virtio,snapshot=on`],
    ...disks.flatMap((disk) => ['-drive', `file=${disk},format=raw,if=virtio,readonly=on`]),
    // An interface that leads nowhere.
    ...['-nic', 'user,model=virtio-net-pci,restrict=on'],
    ...['-device', 'virtio-rng-pci', '-device', 'virtio-serial'],
    ...['-chardev', `socket,path=${socket},server=on,wait=off,id=agent`],
    ...['-device', 'virtserialport,chardev=agent,name=org.qemu.guest_agent.0'],
  ];
}
