import * as z from 'zod';

/** A count or size: never negative, whole up to 2^53 and rounded to the nearest double beyond. */
const Amount = z.number().min(0);

const Percent = z.number().min(0).max(100);

/**
 * Most rows of a section. No agent has as many; most sections have a lower limit. A longer list is refused without a
 * look at its rows.
 */
const ROWS_MAX = 100_000;

/** Most members of a record; no agent has as many sections or queues. */
const MEMBERS_MAX = 1_000;

const rows = <Row extends z.ZodType>(row: Row) => z.array(row).max(ROWS_MAX);

/** Counts the members before it looks at one: each of a million wrong members would be an issue. */
const record = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (members, context) => {
      if (typeof members !== 'object' || members === null || Object.keys(members).length <= MEMBERS_MAX) return members;
      context.addIssue({ code: 'custom', message: `Too big: expected at most ${MEMBERS_MAX} members` });
      return z.NEVER;
    },
    z.record(z.string(), value),
  );

/** Memory in KiB, as the kernel counts it. A value is left out only if the kernel or container does not provide it. */
const reportMemory = z.object({
  totalKB: Amount,
  availableKB: Amount.optional().describe('What programs may still take; kernels before 3.14 do not report it.'),
  freeKB: Amount.optional(),
  buffersKB: Amount.optional(),
  cachedKB: Amount.optional(),
  shmemKB: Amount.optional(),
  dirtyKB: Amount.optional(),
  swapTotalKB: Amount.optional(),
  swapFreeKB: Amount.optional(),
});

/** One real file system, once per device. */
const reportDisk = z.object({
  device: z.string(),
  mount: z.string(),
  fsType: z.string(),
  totalBytes: Amount,
  availBytes: Amount.describe('What users other than root may still write.'),
  usedPct: Percent.describe('Used of what users may use, as df shows it; blocks reserved for root count for neither.'),
  inodesPct: Percent.describe('Used file nodes; 0 where the file system makes them as needed.'),
  files: Amount,
  filesFree: Amount,
});

/** The distribution, as its os-release file says. */
const reportOs = z.object({
  id: z.string().describe('`linux` if the file has no id.'),
  versionId: z.string().describe('Empty on rolling distributions.'),
  name: z.string(),
});

/** The systems of NixOS; an empty object elsewhere. */
const reportSystem = z.object({
  booted: z.string().optional().describe('Store path.'),
  current: z.string().optional().describe('Store path.'),
  rebootNeeded: z
    .boolean()
    .optional()
    .describe('Whether kernel, its modules or initial ramdisk differ between the two.'),
  nixosVersion: z.string().optional(),
  nixpkgsDate: z.string().optional().describe('`YYYYMMDD`; empty if the version does not contain it.'),
});

const reportKernel = z.object({
  running: z.string(),
  newest: z.string().describe('Newest installed one; empty where none is, as in a container.'),
});

const reportPackages = z.object({
  manager: z.enum(['dpkg', 'rpm', 'apk', 'pacman']),
  changed: Amount.describe('When packages were last installed or removed, in Unix seconds.'),
});

/** One tunnel peer; a key that several interfaces know is one peer. */
const reportPeer = z.object({
  publicKey: z.string(),
  latestHandshake: Amount.describe('Unix seconds; 0 is never.'),
  rxBytes: Amount,
  txBytes: Amount,
});

const reportPostfix = z.object({
  messages: Amount,
  queues: record(Amount).describe('Messages in each queue; all queues of Postfix are there.'),
  oldestAgeSec: Amount.describe('0 without messages.'),
});

/** One zone of the Knot DNS server. */
const reportZone = z.object({
  name: z.string().describe('Without the dot at the end, but for the root.'),
  role: z.string().describe('As knotc calls it: `master` or `slave`.'),
  serial: z.int().min(0).optional().describe('Missing while the zone has none.'),
  expiresInSec: z.int().min(-1).describe('-1 on a primary; 0 when expired or never loaded.'),
});

/** Seconds one online CPU has spent in each mode since boot; never smaller than reported before. */
const reportCpuTimes = z.object({
  cpu: z.int().min(0).describe("The kernel's number of the CPU; numbers of offline CPUs are left out."),
  user: Amount,
  nice: Amount,
  system: Amount,
  idle: Amount,
  iowait: Amount,
  irq: Amount,
  softirq: Amount,
  steal: Amount,
});

/** Time in which processes waited for a resource: some of them, or all that had work. */
const reportPressure = z.object({
  someTotalUs: Amount,
  fullTotalUs: Amount.describe('0 for the CPU on kernels before 5.13, which do not count it.'),
  someAvg60: Percent.describe('Share of the last 60 seconds.'),
  fullAvg60: Percent,
});

/** Events of the virtual memory. A count the kernel does not keep is left out. */
const reportVmstat = z.object({
  oomKill: Amount.optional(),
  pswpin: Amount.optional().describe('Pages, not bytes; so is `pswpout`.'),
  pswpout: Amount.optional(),
  pgmajfault: Amount.optional(),
});

/** One whole disk, never a partition. */
const reportDiskCounters = z.object({
  device: z.string(),
  reads: Amount,
  writes: Amount,
  readBytes: Amount,
  writtenBytes: Amount,
  ioTimeMs: Amount,
});

/** One network interface. */
const reportNetCounters = z.object({
  device: z.string(),
  rxBytes: Amount,
  txBytes: Amount,
  rxErrors: Amount,
  txErrors: Amount,
  rxDropped: Amount,
  txDropped: Amount,
});

/** Memory of one system service by its control group. */
const reportUnit = z.object({
  unit: z.string(),
  bytes: Amount,
  maxBytes: Amount.optional().describe('Only with a limit (MemoryMax).'),
});

/** A unit that was asked about, in words of the service manager; all of them empty where it could not be asked. */
const reportService = z.object({
  unit: z.string().describe('The name as it was asked.'),
  user: z.string().describe('Account whose unit it is; empty for a unit of the system.'),
  load: z.string(),
  active: z.string(),
  sub: z.string(),
  result: z.string().describe('Empty for types of units that have no result.'),
  service: z.string().optional().describe('The unit a timer starts; this and the fields below only for timers.'),
  running: z.boolean().optional(),
  exitStatus: z
    .int()
    .optional()
    .describe('Of the newest run: 0 also before the first one, the number of the signal that ended it.'),
  lastRun: Amount.optional().describe('Unix seconds; 0 for none. So is `nextRun`.'),
  nextRun: Amount.optional(),
});

/** Counts since boot. A group whose source could not be read is left out. */
const reportCounters = z.object({
  bootTime: Amount.optional().describe('Unix seconds.'),
  cpu: rows(reportCpuTimes).optional(),
  pressure: z
    .object({ cpu: reportPressure.optional(), memory: reportPressure.optional(), io: reportPressure.optional() })
    .optional()
    .describe('Missing where the kernel has no pressure accounting.'),
  vmstat: reportVmstat.optional(),
  disks: rows(reportDiskCounters).optional(),
  net: rows(reportNetCounters).optional().describe('All interfaces but `lo` and those named `veth*`.'),
});

/**
 * The report of one host as `GET /v1/report` answers it. Fields are only ever added.
 * A section that could not be collected is left out and named in `errors`.
 * @spec agent#resources-and-their-fields
 */
export const hostReport = z.object({
  host: z.string(),
  time: z.iso.datetime().describe('When the report was collected.'),
  uptimeSec: Amount.optional(),
  load: z.tuple([Amount, Amount, Amount]).optional().describe('Mean run-queue length over 1, 5 and 15 minutes.'),
  cpus: z.int().min(1).optional().describe('CPUs online.'),
  memory: reportMemory.optional(),
  disks: rows(reportDisk).optional(),
  failedUnits: rows(z.string()).optional().describe('Names of the units the service manager holds in failed state.'),
  os: reportOs.optional(),
  system: reportSystem.optional(),
  kernel: reportKernel.optional().describe('Missing on NixOS.'),
  packages: reportPackages.optional().describe('Missing on NixOS and without a package manager known here.'),
  wireguard: rows(reportPeer).optional(),
  postfix: reportPostfix.optional(),
  knot: rows(reportZone).optional(),
  counters: reportCounters.optional(),
  units: rows(reportUnit).optional().describe('System services with a control group, sorted by name.'),
  services: rows(reportService).optional().describe('Only for a request that asks: one row per name, in its order.'),
  errors: record(z.string()).describe('Section name -> why it is missing or incomplete.'),
});

export type HostReport = z.output<typeof hostReport>;
export type ReportMemory = z.output<typeof reportMemory>;
export type ReportDisk = z.output<typeof reportDisk>;
export type ReportCpuTimes = z.output<typeof reportCpuTimes>;
export type ReportUnit = z.output<typeof reportUnit>;
export type ReportService = z.output<typeof reportService>;
export type ReportCounters = z.output<typeof reportCounters>;
export type ReportPressure = z.output<typeof reportPressure>;
export type ReportVmstat = z.output<typeof reportVmstat>;
export type ReportDiskCounters = z.output<typeof reportDiskCounters>;
export type ReportNetCounters = z.output<typeof reportNetCounters>;
export type ReportSystem = z.output<typeof reportSystem>;
export type ReportKernel = z.output<typeof reportKernel>;
export type ReportPackages = z.output<typeof reportPackages>;
export type ReportPostfix = z.output<typeof reportPostfix>;
export type ReportZone = z.output<typeof reportZone>;
