import { UnparsableSourceError } from '../errors.ts';
import type { Collector } from './collector.ts';

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
  collect: (host) => ({ sections: { uptimeSec: parseUptime(host.readProc('uptime')) }, families: [] }),
};
