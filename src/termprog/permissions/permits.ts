import type { Operation } from '../engine/engine-host.ts';
import type { LiveOptions } from '../options/live-options.ts';
import { isRefusedBy } from './name-list.ts';

/** The resources in force. */
export type PermissionSettings = Pick<LiveOptions, 'get'>;

/** The rule of a group of operations. */
interface Family {
  /** The resource that permits the whole group. */
  blanket: 'allowTitleOps' | 'allowWindowOps' | 'allowColorOps' | 'allowTcapOps' | 'allowMouseOps' | 'allowNotifyOps';
  /** Whether the blanket permission is ignored while `allowSendEvents` is true. */
  yieldsToSendEvents: boolean;
  /** List that decides without a blanket permission; without a list, such operations are refused. */
  refusals?: 'disallowedWindowOps' | 'disallowedColorOps' | 'disallowedTcapOps';
}

const titles: Family = { blanket: 'allowTitleOps', yieldsToSendEvents: true };
const windows: Family = { blanket: 'allowWindowOps', yieldsToSendEvents: true, refusals: 'disallowedWindowOps' };
const colors: Family = { blanket: 'allowColorOps', yieldsToSendEvents: true, refusals: 'disallowedColorOps' };
const capabilities: Family = { blanket: 'allowTcapOps', yieldsToSendEvents: false, refusals: 'disallowedTcapOps' };
const mouse: Family = { blanket: 'allowMouseOps', yieldsToSendEvents: false };
const notifications: Family = { blanket: 'allowNotifyOps', yieldsToSendEvents: false };

/** Family of each operation, and the number that lists may use for its name. */
const operations: Readonly<Record<Operation, { family: Family; code?: number }>> = {
  SetTitle: { family: titles },
  GetSelection: { family: windows },
  SetSelection: { family: windows },
  GetChecksum: { family: windows },
  GetWinSizePixels: { family: windows, code: 14 },
  GetWinSizeChars: { family: windows, code: 18 },
  // It guards CSI 16 t, although 16 is not a code for it.
  GetScreenSizeChars: { family: windows, code: 19 },
  GetIconTitle: { family: windows, code: 20 },
  GetWinTitle: { family: windows, code: 21 },
  PushTitle: { family: windows, code: 22 },
  PopTitle: { family: windows, code: 23 },
  SetColor: { family: colors },
  GetColor: { family: colors },
  GetAnsiColor: { family: colors },
  GetTcap: { family: capabilities },
  MouseReport: { family: mouse },
  Notify: { family: notifications },
};

/**
 * Whether an application may perform an operation. @spec termprog#terminal-widget-resources-termvt100 allowSendEvents
 */
export function permits(settings: PermissionSettings, operation: Operation): boolean {
  const { family, code } = operations[operation];
  const { blanket, yieldsToSendEvents, refusals } = family;
  const isBlanketInForce = !(yieldsToSendEvents && settings.get('allowSendEvents'));
  if (isBlanketInForce && settings.get(blanket)) return true;
  return refusals !== undefined && !isRefusedBy(settings.get(refusals), operation, code);
}
