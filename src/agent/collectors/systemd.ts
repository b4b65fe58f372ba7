import { gauge } from '../exposition/family.ts';
import type { Collector } from './collector.ts';

/**
 * Without systemd there are no units: the list of failed ones is empty, and the metric is left out.
 * @spec agent#metrics services family
 */
export const systemd: Collector = {
  name: 'systemd',
  sections: ['failedUnits'],
  collect: async (host) => {
    const manager = await host.systemd();
    if (manager === undefined) return { sections: { failedUnits: [] }, families: [] };
    const failed = (await manager.failedUnits()).sort();
    return {
      sections: { failedUnits: failed },
      families: [gauge('monitor_systemd_units_failed', 'Units that systemd holds in failed state.', failed.length)],
    };
  },
};
