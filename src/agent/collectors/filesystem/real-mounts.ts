import type { Mount } from './mountinfo.ts';

/** Types without storage of their own, or whose storage another mount shows. `overlay` counts at `/` alone. */
const VIRTUAL_TYPES = new Set(
  (
    'autofs binder binfmt_misc bpf cgroup cgroup2 configfs debugfs devfs devpts devtmpfs efivarfs erofs fuse.lxcfs ' +
    'fuse.portal fusectl hugetlbfs iso9660 mqueue nfsd nsfs overlay proc procfs pstore ramfs resctrl rootfs ' +
    'rpc_pipefs securityfs selinuxfs squashfs sunrpc sysfs tmpfs tracefs'
  ).split(' '),
);

/** Types whose storage is on another machine: it should be watched there, and it can hang here. */
const NETWORK_TYPES = new Set(
  (
    '9p afs ceph cifs glusterfs lustre ncpfs nfs nfs4 smb3 smbfs ' +
    'fuse.ceph fuse.ceph-fuse fuse.cephfs fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs'
  ).split(' '),
);

/** Directories below which only parts of the system itself are mounted; those of node_exporter. */
const SYSTEM_DIRECTORIES =
  /^\/(dev|proc|run\/credentials\/.+|sys|var\/lib\/docker\/.+|var\/lib\/containers\/storage\/.+)($|\/)/;

/** Whether the storage behind a mount is another machine's. */
export function isRemote({ fsType }: Mount): boolean {
  return NETWORK_TYPES.has(fsType);
}

/** Mounts of one file system that are kept; hosts of containers have thousands of one disk. */
const MOUNTS_OF_FILE_SYSTEM_MAX = 32;

/**
 * Mounts of one storage that are kept: a pool may have 100,000 datasets, and each collection iterates over the kept
 * ones.
 */
const MOUNTS_OF_STORAGE_MAX = 1_024;

/** Key that is equal for mounts of one file system. A storage may have several: each dataset of a ZFS pool is one. */
export const fileSystemKey = ({ major, minor, source }: Mount): string => `${major}:${minor} ${source}`;

/**
 * The mounts of real file systems by the storage behind them, in the order of the mount points that stand for it. The
 * first mount of each stands for its storage; another may have a quota of its own, and then is a disk beside it.
 * @param withRemote those of other machines too
 * @param isLeftOut mounts that are not wanted
 * @spec agent#resources-and-their-fields `disks`
 */
export function realMounts(
  mounts: readonly Mount[],
  { withRemote = false, isLeftOut = () => false }: { withRemote?: boolean; isLeftOut?: (mount: Mount) => boolean } = {},
): Mount[][] {
  const covered = coveredIds(mounts);
  const storages = new Map<string, Mount[]>();
  for (const mount of mounts) {
    if (!(isLocal(mount) || (withRemote && isRemote(mount))) || covered.has(mount.id) || isLeftOut(mount)) continue;
    const key = deviceKey(mount);
    const known = storages.get(key);
    if (known === undefined) storages.set(key, [mount]);
    else known.push(mount);
  }
  return [...storages.values()]
    .map((storage) => someOfEach(storage.sort(byPreference)))
    .sort(([a], [b]) => ((a?.mountPoint ?? '') < (b?.mountPoint ?? '') ? -1 : 1));
}

/** Keeps the first mounts of each file system, up to the limits for a file system and for the storage. */
function someOfEach(storage: readonly Mount[]): Mount[] {
  const counts = new Map<string, number>();
  const some = storage.filter((mount) => {
    const key = fileSystemKey(mount);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count < MOUNTS_OF_FILE_SYSTEM_MAX;
  });
  return some.slice(0, MOUNTS_OF_STORAGE_MAX);
}

function isLocal(mount: Mount): boolean {
  const { fsType, mountPoint } = mount;
  if (fsType === 'overlay') return mountPoint === '/';
  if (VIRTUAL_TYPES.has(fsType) || isRemote(mount)) return false;
  // Block devices behind FUSE have the type fuseblk; the others are networks, archives and views.
  return !fsType.startsWith('fuse.') && fsType !== 'fuse' && !SYSTEM_DIRECTORIES.test(mountPoint);
}

/**
 * Ids of mounts that another mount at the same point covers; the covering one would answer a question there.
 */
function coveredIds(mounts: readonly Mount[]): Set<number> {
  const byId = new Map(mounts.map((mount) => [mount.id, mount]));
  const covered = mounts.filter(
    ({ id, parentId, mountPoint }) => id !== parentId && byId.get(parentId)?.mountPoint === mountPoint,
  );
  return new Set(covered.map(({ parentId }) => parentId));
}

/** Equal for mounts that share their storage. Anonymous devices (major 0) differ per mount of one file system. */
function deviceKey({ major, minor, fsType, source }: Mount): string {
  if (major !== 0) return `${major}:${minor}`;
  // The datasets of a ZFS pool share its free space.
  const storage = fsType === 'zfs' ? source.split('/', 1)[0] : source;
  return `${fsType} ${storage}`;
}

/** The root directory, then whole file systems before parts of them, then the shorter path, then the older mount. */
function byPreference(mount: Mount, other: Mount): number {
  const rank = ({ root, mountPoint, id }: Mount): number[] => [
    mountPoint === '/' ? 0 : 1,
    root === '/' ? 0 : 1,
    mountPoint.length,
    id,
  ];
  const [a, b] = [rank(mount), rank(other)];
  const index = a.findIndex((value, position) => value !== b[position]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
