import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { writeProgram } from './fake-program.ts';
import { tempFolder } from './temp-folder.ts';

/** A pair of keys as `wg` writes them. */
export interface Keys {
  private: string;
  public: string;
}

export interface RunningWireguard extends AsyncDisposable {
  /** Folder with a `wg` that looks into the tunnel's own network. */
  programs: string;
  /** A sysfs that says the kernel could have tunnels. */
  sysfs: string;
  ends: readonly [Keys, Keys];
  /** A peer that never answers, known to the first end. */
  silent: Keys;
  presharedKey: string;
  /** Runs a command in the tunnel's own network. */
  inside(...command: string[]): Promise<string>;
}

async function makeKeys(): Promise<Keys> {
  const { stdout: made } = await execa('wg', ['genkey']);
  const { stdout: derived } = await execa('wg', ['pubkey'], { input: made });
  return { private: made, public: derived };
}

/** Sockets of wireguard-go stand in /run, and the machine may have its own. */
const NETWORK_SCRIPT = `
mount -t tmpfs none /run && ip link set lo up &&
{ wireguard-go -f wga & wireguard-go -f wgb & } && wait
`;

/** Both ends of a tunnel of wireguard-go, in one network namespace of their own; wants root and /dev/net/tun. */
export async function startWireguard(): Promise<RunningWireguard> {
  const folder = await tempFolder();
  const keys = await Promise.all([makeKeys(), makeKeys(), makeKeys()]);
  const [first, second, silent] = keys;
  const { stdout: presharedKey } = await execa('wg', ['genpsk']);
  const [programs, sysfs] = [join(folder.path, 'bin'), join(folder.path, 'sys')];
  await mkdir(programs);
  await mkdir(join(sysfs, 'module/wireguard'), { recursive: true });
  const secret = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder.path, name), `${text}\n`, { mode: 0o600 });
    return join(folder.path, name);
  };
  const network = startProcess({
    name: 'wireguard-go',
    command: ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--', 'sh', '-c', NETWORK_SCRIPT],
  });
  const enter = ['nsenter', '--target', String(network.pid), '--net', '--mount', '--'] as const;
  const inside = async (...command: string[]): Promise<string> => {
    const [program, ...args] = [...enter, ...command];
    return (await execa(program ?? '', args)).stdout;
  };
  writeProgram(programs, 'wg', `exec ${enter.join(' ')} /usr/bin/wg "$@"`);
  const psk = await secret('psk', presharedKey);
  const setUp = async (name: string, own: Keys, port: number, peer: Keys, peerPort: number): Promise<void> => {
    const options = ['preshared-key', psk, 'persistent-keepalive', '1', 'allowed-ips', '10.9.0.0/24'];
    const key = await secret(name, own.private);
    const endpoint = `127.0.0.1:${peerPort}`;
    await waitFor(`${name} can be set up`, () => inside('wg', 'show', name).then(() => true), { process: network });
    await inside('wg', 'set', name, 'private-key', key, 'listen-port', String(port));
    await inside('wg', 'set', name, 'peer', peer.public, 'endpoint', endpoint, ...options);
    await inside('ip', 'link', 'set', name, 'up');
  };
  const dispose = async (): Promise<void> => {
    // unshare does not pass SIGTERM on; its end is the end of all in the namespace.
    network.kill('SIGKILL');
    await network.ended;
    await folder[Symbol.asyncDispose]();
  };
  try {
    await setUp('wga', first, 51_801, second, 51_802);
    await setUp('wgb', second, 51_802, first, 51_801);
    await inside('wg', 'set', 'wga', 'peer', silent.public, 'allowed-ips', '10.8.0.0/24');
  } catch (error) {
    await dispose();
    throw error;
  }
  return { programs, sysfs, ends: [first, second], silent, presharedKey, inside, [Symbol.asyncDispose]: dispose };
}
