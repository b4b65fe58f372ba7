import { UnparsableSourceError } from '../errors.ts';
import type { Collector } from './collector.ts';
import { whenRead } from './kernel-text/when-read.ts';

/** Seconds since boot with time asleep: the first field of `/proc/uptime`. @see proc_uptime(5) @throws UnparsableSourceError */
export function parseUptime(text: string): number {
  const field = /^(\d+(?:\.\d+)?) /.exec(text)?.[1];
  if (field === undefined) throw new UnparsableSourceError('/proc/uptime', 'seconds since boot');
  return Number(field);
}

/** @spec agent#resources-and-their-fields */
export const uptime: Collector = {
  name: 'uptime',
  sections: ['uptimeSec'],
  collect: (host) =>
    whenRead(host.readProc('uptime'), (text) => ({ sections: { uptimeSec: parseUptime(text) }, families: [] })),
};
