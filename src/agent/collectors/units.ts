import type { ReportUnit } from '../../../schemas/report.ts';
import { messageOf } from '../../kernel/errors.ts';
import { UnparsableSourceError } from '../errors.ts';
import { type Family, gauge } from '../exposition/family.ts';
import type { CgroupTree, ServiceGroup } from '../host/cgroup-tree.ts';
import type { Collector } from './collector.ts';

/** Files of a control group with its memory and its limit, in bytes. */
const UNIFIED_FILES = { bytes: 'memory.current', maxBytes: 'memory.max' };
const VERSION_1_FILES = { bytes: 'memory.usage_in_bytes', maxBytes: 'memory.limit_in_bytes' };

/** Problem of a machine whose services have no memory accounting. */
const WITHOUT_CONTROLLER =
  'the control groups of services do not report memory: boot the kernel with cgroup_enable=memory, or set DefaultMemoryAccounting=yes for systemd';

/**
 * Version 1 of control groups gives a group without a limit the largest number of whole pages, whose size differs
 * between machines.
 */
const VERSION_1_NO_LIMIT_FROM = 2 ** 62;

/** Bytes in a file of the memory controller; undefined for no limit. @throws UnparsableSourceError */
export function parseBytes(text: string, source: string): number | undefined {
  const word = text.trimEnd();
  if (word === 'max') return undefined;
  if (!/^\d+$/.test(word)) throw new UnparsableSourceError(source, 'a number of bytes');
  const bytes = Number(word);
  return bytes >= VERSION_1_NO_LIMIT_FROM ? undefined : bytes;
}

/** Undefined for a unit that has just stopped, or whose memory is not accounted. */
function memoryOf(tree: CgroupTree, group: ServiceGroup): ReportUnit | undefined {
  const files = tree.isUnified ? UNIFIED_FILES : VERSION_1_FILES;
  const used = tree.read(group, files.bytes);
  const limit = tree.read(group, files.maxBytes);
  const bytes = used === undefined ? undefined : parseBytes(used, files.bytes);
  if (bytes === undefined) return undefined;
  const maxBytes = limit === undefined ? undefined : parseBytes(limit, files.maxBytes);
  return { unit: group.unit, bytes, ...(maxBytes === undefined ? {} : { maxBytes }) };
}

/** Reasons of single services and slices that one report repeats. */
const REASONS_MAX = 3;

/** The owner of a service's control group may close it: only that service is then missing. */
function memoryOfEach(tree: CgroupTree, groups: readonly ServiceGroup[]): { found: ReportUnit[]; reasons: string[] } {
  const reasons: string[] = [];
  const found = groups.flatMap((group) => {
    try {
      return memoryOf(tree, group) ?? [];
    } catch (error) {
      reasons.push(`${group.unit}: ${messageOf(error)}`);
      return [];
    }
  });
  return { found, reasons };
}

function shortened(reasons: readonly string[]): string[] {
  const left = reasons.length - REASONS_MAX;
  return [...reasons.slice(0, REASONS_MAX), ...(left > 0 ? [`${left} more could not be read`] : [])];
}

function familiesOf(units: readonly ReportUnit[]): Family[] {
  return [
    gauge(
      'monitor_systemd_unit_memory_bytes',
      'Memory the control group of a system service uses, in bytes.',
      units.map(({ unit, bytes }) => ({ labels: { unit }, value: bytes })),
    ),
    gauge(
      'monitor_systemd_unit_memory_max_bytes',
      'Memory the control group of a system service may use, in bytes.',
      units.flatMap(({ unit, maxBytes }) => (maxBytes === undefined ? [] : [{ labels: { unit }, value: maxBytes }])),
    ),
  ];
}

/** @spec agent#resources-and-their-fields `units` */
export const units: Collector = {
  name: 'units',
  sections: ['units'],
  collect: ({ cgroups }) => {
    const { groups, isCut, problems: closed } = cgroups.services();
    const { found, reasons } = memoryOfEach(cgroups, groups);
    cgroups.keepOnly(groups);
    const problems = [
      ...(isCut ? ['there are more control groups than are looked at; some services are missing'] : []),
      ...shortened([...closed, ...reasons]),
      ...(groups.length > reasons.length && found.length === 0 ? [WITHOUT_CONTROLLER] : []),
    ];
    const isUnread = found.length === 0 && reasons.length > 0;
    return { sections: isUnread ? {} : { units: found }, families: familiesOf(found), problems };
  },
};
