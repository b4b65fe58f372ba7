import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { tempFolder } from './temp-folder.ts';

export interface RunningKnot extends AsyncDisposable {
  /** Control socket. */
  socket: string;
  port: number;
  process: ManagedProcess;
}

export interface KnotZone {
  /** Text of the zone file; a primary has one. */
  text?: string;
  /** Port of the server on loopback the zone comes from; a secondary has one. */
  from?: number;
}

/** Returns a zone with only its start and a name server; the times are seconds. */
export function zoneText({ serial, expire = 600 }: { serial: number; expire?: number }): string {
  return `@ 60 SOA ns.example. admin.example. ${serial} 2 1 ${expire} 60\n@ 60 NS ns.example.\n`;
}

/** Starts the Knot DNS server on loopback, with all it keeps in a new private folder. */
export async function startKnot(zones: Record<string, KnotZone>): Promise<RunningKnot> {
  const folder = await tempFolder();
  const port = await freePort();
  await mkdir(join(folder.path, 'zones'));
  await mkdir(join(folder.path, 'run'));
  for (const [name, { text }] of Object.entries(zones)) {
    if (text !== undefined) await writeFile(join(folder.path, 'zones', `${name}.zone`), text);
  }
  const config = join(folder.path, 'knot.conf');
  await writeFile(config, configText(folder.path, port, zones));
  const knotd = startProcess({ name: 'knotd', command: ['knotd', '-c', config] });
  const socket = join(folder.path, 'run', 'knot.sock');
  await waitFor('knotd answers', async () => (await execa('knotc', ['-s', socket, 'status'])).exitCode === 0, {
    process: knotd,
  });
  return {
    socket,
    port,
    process: knotd,
    [Symbol.asyncDispose]: async () => {
      await knotd.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function configText(folder: string, port: number, zones: Record<string, KnotZone>): string {
  const masters = [...new Set(Object.values(zones).flatMap(({ from }) => from ?? []))];
  return [
    'server:',
    `    rundir: "${folder}/run"`,
    `    listen: 127.0.0.1@${port}`,
    '    automatic-acl: on',
    '    udp-workers: 1',
    '    tcp-workers: 1',
    '    background-workers: 1',
    'log:',
    '  - target: stderr',
    '    any: warning',
    'database:',
    `    storage: "${folder}/db"`,
    'acl:',
    '  - id: anybody',
    '    address: 127.0.0.1',
    '    action: transfer',
    ...(masters.length === 0 ? [] : ['remote:']),
    ...masters.flatMap((master) => [`  - id: at${master}`, `    address: 127.0.0.1@${master}`]),
    'template:',
    '  - id: default',
    `    storage: "${folder}/zones"`,
    '    file: "%s.zone"',
    '    acl: anybody',
    'zone:',
    ...Object.entries(zones).flatMap(([name, { from }]) => [
      `  - domain: ${name}`,
      ...(from === undefined ? [] : [`    master: at${from}`]),
    ]),
    '',
  ].join('\n');
}
