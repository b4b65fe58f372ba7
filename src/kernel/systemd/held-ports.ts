import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { runCommand } from './run-command.ts';

/** State of a listening socket. @see proc_net_tcp in the documentation of Linux */
const LISTENING = '0A';
/** Columns of a line. */
const LOCAL_ADDRESS = 1;
const STATE = 3;
const INODE = 9;

/** The TCP ports on which the main process of a unit listens; empty if it does not run. Needs root. */
export function heldPorts(unit: string): number[] {
  const pid = runCommand(['systemctl', 'show', '--property=MainPID', '--value', unit]).trim();
  if (!/^[1-9]\d*$/.test(pid)) return [];
  try {
    const sockets = new Set(
      readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => inodeOf(`/proc/${pid}/fd/${descriptor}`)),
    );
    return ['tcp', 'tcp6'].flatMap((table) => portsIn(textOf(`/proc/${pid}/net/${table}`), sockets));
  } catch {
    // The process has ended meanwhile.
    return [];
  }
}

/** Inode of the socket behind a descriptor; empty for another kind of file, or a descriptor that is closed by now. */
function inodeOf(path: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(path)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    // The descriptor was closed meanwhile.
    return [];
  }
}

/** Text of a table; empty if it is absent, because a kernel may lack IPv6. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The kernel has no such table.
    return '';
  }
}

function portsIn(table: string, sockets: ReadonlySet<string>): number[] {
  return table.split('\n').flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    if (columns[STATE] !== LISTENING || !sockets.has(columns[INODE] ?? '')) return [];
    return [Number.parseInt(columns[LOCAL_ADDRESS]?.split(':')[1] ?? '', 16)];
  });
}
