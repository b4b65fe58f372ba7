import { gauge } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { textOfBytes } from './kernel-text/byte-name.ts';

/** Label -> file below `/proc/sys/kernel` with what uname(2) says. */
const FILES = {
  sysname: 'ostype',
  release: 'osrelease',
  version: 'version',
  nodename: 'hostname',
  domainname: 'domainname',
} as const;

/**
 * The metric by which common dashboards select hosts. It carries the host name, which all other metrics leave to the
 * scraper, and is therefore only there on request. @spec agent#metrics rule 1
 */
export const uname: Collector = {
  name: 'uname',
  sections: [],
  collect: async (host) => {
    const labels: Record<string, string> = { machine: host.architecture };
    for (const [label, file] of Object.entries(FILES)) {
      labels[label] = textOfBytes(await host.readProc(`sys/kernel/${file}`)).trim();
    }
    const help = 'Labeled system information as provided by the uname system call.';
    return { sections: {}, families: [gauge('node_uname_info', help, [{ labels, value: 1 }])] };
  },
};
