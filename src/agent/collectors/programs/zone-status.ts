import type { ReportZone } from '../../../../schemas/report.ts';
import { UnparsableSourceError } from '../../errors.ts';

/** Escape sequences of colours, in case the program sends them into a pipe. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
const COLOURS = /\x1b\[[0-9;]*m/g;

/** Roles that get their zone from another server; knotc says `slave`, newer documents `secondary`. */
const SECONDARY_ROLES: readonly (string | undefined)[] = ['slave', 'secondary'];

/** The value for hosts that are not a secondary. @spec agent#resources-and-their-fields `knot` */
const NEVER_EXPIRES = -1;

const SERIAL_MAX = 2 ** 32 - 1;

/** Longest name of a zone as knotc prints it: 255 bytes, each escaped. */
const NAME_MAX_CHARACTERS = 1024;

/** Seconds in the units of knotc's times. */
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  Y: 365 * 86_400,
  M: 30 * 86_400,
  D: 86_400,
  h: 3600,
  m: 60,
  s: 1,
};

/**
 * Zones of `knotc zone-status` sorted by name; lines of another form are skipped. @see knotc(8)
 * @throws UnparsableSourceError
 */
export function parseZoneStatus(text: string): ReportZone[] {
  const zones = text
    .replaceAll(COLOURS, '')
    .split('\n')
    .flatMap((line) => parseZone(line) ?? []);
  if (zones.length === 0 && text.trim() !== '') {
    throw new UnparsableSourceError('knotc zone-status', 'a line for each zone with its role');
  }
  const byName = new Map(zones.map((zone) => [zone.name, zone]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function parseZone(line: string): ReportZone | undefined {
  const [, name = '', rest = ''] = /^\[(\S+)\] (role: .*)$/.exec(line) ?? [];
  if (name === '' || name.length > NAME_MAX_CHARACTERS) return undefined;
  const items = new Map(rest.split(' | ').map((item) => splitItem(item)));
  const role = items.get('role');
  if (role === undefined || !/^[a-z]{1,16}$/.test(role)) return undefined;
  const serial = parseSerial(items.get('serial'));
  return {
    name: withoutRootDot(name).replaceAll(/\p{Cc}/gu, '\ufffd'),
    role,
    ...(serial === undefined ? {} : { serial }),
    expiresInSec: SECONDARY_ROLES.includes(role) ? secondsLeft(items.get('expiration')) : NEVER_EXPIRES,
  };
}

function splitItem(item: string): [key: string, value: string] {
  const colon = item.indexOf(': ');
  return colon === -1 ? [item, ''] : [item.slice(0, colon), item.slice(colon + 2).trim()];
}

function parseSerial(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,10}$/.test(value)) return undefined;
  return Number(value) <= SERIAL_MAX ? Number(value) : undefined;
}

/**
 * `+13D22h54m56s` -> seconds. Any other text gives 0: a zone that expired or was never loaded has no
 * expiration, and one that is just expiring says `pending` or `running`.
 */
export function secondsLeft(value: string | undefined): number {
  const time = /^\+((?:\d{1,9}[YMDhms])+)$/.exec(value ?? '')?.[1];
  if (time === undefined) return 0;
  return [...time.matchAll(/(\d+)([YMDhms])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNIT_SECONDS[unit] ?? 0),
    0,
  );
}

function withoutRootDot(name: string): string {
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name;
}
