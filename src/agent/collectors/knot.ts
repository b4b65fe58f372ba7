import type { ReportZone } from '../../../schemas/report.ts';
import { type Family, gauge } from '../exposition/family.ts';
import type { Collector } from './collector.ts';
import { type Remedies, runAskedFor } from './programs/complaint.ts';
import { parseZoneStatus } from './programs/zone-status.ts';

/** Most zones of one report. */
const ZONES_MAX = 10_000;

/** Time limit of knotc itself, shorter than ours, so that it prints the reason before it is killed. */
const ANSWER_WITHIN_SECONDS = 4;

const REMEDIES: Remedies = [
  [/not permitted|denied/i, 'the agent needs the group of knotd (knot) as a supplementary group'],
  [/not exists|refused|timeout/i, 'start knotd, correct agent.knotSocket, or set agent.knot to false'],
];

function familiesOf(zones: readonly ReportZone[]): Family[] {
  return [
    gauge('monitor_knot_zones', 'Zones of the Knot DNS server.', zones.length),
    gauge(
      'monitor_knot_zone_serial',
      'Serial number of a zone.',
      zones.flatMap(({ name: zone, serial }) => (serial === undefined ? [] : [{ labels: { zone }, value: serial }])),
    ),
    gauge(
      'monitor_knot_zone_expires_seconds',
      'Time until a zone from another server expires; 0 when it has expired or was never loaded.',
      // A negative number for the zones of a primary would set off every alert about little time left.
      zones.flatMap(({ name: zone, expiresInSec }) =>
        expiresInSec < 0 ? [] : [{ labels: { zone }, value: expiresInSec }],
      ),
    ),
  ];
}

/** @param socket knotd's control socket @spec agent#metrics DNS zones family */
export function createKnotCollector(socket: string): Collector {
  return {
    name: 'knot',
    sections: ['knot'],
    collect: async (host) => {
      const args = ['-s', socket, '-t', String(ANSWER_WITHIN_SECONDS), 'zone-status'];
      const { output } = await runAskedFor(
        host,
        { program: 'knotc', args },
        { option: 'agent.knot', remedies: REMEDIES },
      );
      const found = parseZoneStatus(output);
      const zones = found.slice(0, ZONES_MAX);
      return {
        sections: { knot: zones },
        families: familiesOf(zones),
        problems: found.length > ZONES_MAX ? [`${found.length - ZONES_MAX} more than ${ZONES_MAX} zones`] : [],
      };
    },
  };
}
