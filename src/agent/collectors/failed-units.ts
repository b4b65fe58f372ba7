import { gauge } from '../exposition/family.ts';
import type { Collector } from './collector.ts';

/** Without systemd nothing holds units: none has failed, and there is no count. @spec agent#metrics services family */
export const failedUnits: Collector = {
  name: 'systemd',
  sections: ['failedUnits'],
  collect: async ({ systemd }) => {
    if (systemd === undefined) return { sections: { failedUnits: [] }, families: [] };
    const failed = (await systemd.failedUnits()).sort();
    return {
      sections: { failedUnits: failed },
      families: [gauge('monitor_systemd_units_failed', 'Units that systemd holds in failed state.', failed.length)],
    };
  },
};
