import type { ReportPackages } from '../../../schemas/report.ts';
import type { Host } from '../host/host.ts';
import type { Collector } from './collector.ts';
import { askEach } from './kernel-text/when-read.ts';
import { isNixos, type OsRelease, readOsRelease } from './release/os-release.ts';

type Manager = ReportPackages['manager'];

/** Files a package manager changes with every installation. */
const DATABASES: Readonly<Record<Manager, readonly string[]>> = {
  dpkg: ['/var/lib/dpkg/status'],
  rpm: [
    '/usr/lib/sysimage/rpm/rpmdb.sqlite',
    '/usr/lib/sysimage/rpm/rpmdb.sqlite-wal',
    '/usr/lib/sysimage/rpm/Packages.db',
    '/var/lib/rpm/rpmdb.sqlite',
    '/var/lib/rpm/rpmdb.sqlite-wal',
    '/var/lib/rpm/Packages.db',
    '/var/lib/rpm/Packages',
  ],
  apk: ['/lib/apk/db/installed', '/usr/lib/apk/db/installed'],
  pacman: ['/var/lib/pacman/local'],
};

const MANAGERS = Object.keys(DATABASES) as Manager[];

/** Distribution -> its own manager, because the others can be installed beside it. */
const MANAGER_OF: Readonly<Record<string, Manager>> = {
  debian: 'dpkg',
  ubuntu: 'dpkg',
  fedora: 'rpm',
  rhel: 'rpm',
  suse: 'rpm',
  opensuse: 'rpm',
  alpine: 'apk',
  arch: 'pacman',
};

/** All managers, the distribution's own one first. */
function candidates({ ID: id = '', ID_LIKE: likes = '' }: OsRelease): Manager[] {
  const own = [id, ...likes.split(/\s+/)].flatMap((name) => MANAGER_OF[name] ?? []);
  return [...new Set([...own, ...MANAGERS])];
}

async function findPackages(host: Host, release: OsRelease): Promise<ReportPackages | undefined> {
  for (const manager of candidates(release)) {
    const found = await askEach(DATABASES[manager], (file) => host.root.changedSec(file));
    const changes = found.filter((changed) => changed !== undefined);
    if (changes.length > 0) return { manager, changed: Math.max(...changes) };
  }
  return undefined;
}

/** When packages were last installed or removed; absent on NixOS and where no known manager is. @spec agent#resources-and-their-fields `packages` */
export const packages: Collector = {
  name: 'packages',
  sections: ['packages'],
  collect: async (host) => {
    const [isOfNix, release] = await Promise.all([isNixos(host), readOsRelease(host)]);
    const found = isOfNix ? undefined : await findPackages(host, release);
    return { sections: found === undefined ? {} : { packages: found }, families: [] };
  },
};
