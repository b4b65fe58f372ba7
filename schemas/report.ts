import { z } from 'zod';

/** A count or size: never negative, whole up to 2^53 and rounded to the nearest double beyond. */
const Amount = z.number().min(0);

const Percent = z.number().min(0).max(100);

/** Memory in KiB, as the kernel counts it. Only a kernel or container that does not tell a value leaves it out. */
const reportMemory = z.object({
  totalKB: Amount,
  availableKB: Amount.optional().describe('What programs may still take; kernels before 3.14 do not tell.'),
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

/** Counts since boot. A group whose source could not be read is left out. */
const reportCounters = z.object({
  bootTime: Amount.optional().describe('Unix seconds.'),
  cpu: z.array(reportCpuTimes).optional(),
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
  disks: z.array(reportDisk).optional(),
  counters: reportCounters.optional(),
  errors: z.record(z.string(), z.string()).describe('Section name -> why it is missing or incomplete.'),
});

export type HostReport = z.output<typeof hostReport>;
export type ReportMemory = z.output<typeof reportMemory>;
export type ReportDisk = z.output<typeof reportDisk>;
export type ReportCpuTimes = z.output<typeof reportCpuTimes>;
export type ReportCounters = z.output<typeof reportCounters>;
