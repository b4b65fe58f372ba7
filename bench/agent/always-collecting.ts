/**
 * always-collecting.ts PORT TOKEN [COLLECTOR...]
 * Runs the agent's own parts under a clock on which every request comes 10 s after the last one, so that each scrape
 * collects. COLLECTOR limits it to these collectors.
 */

import { collectionConfig } from '../../schemas/agent.ts';
import { Collection } from '../../src/agent/collection/collection.ts';
import { COLLECT_INTERVAL_MS } from '../../src/agent/collection/freshness.ts';
import { SnapshotSource } from '../../src/agent/collection/snapshot-source.ts';
import { openCollectors } from '../../src/agent/collectors/index.ts';
import { openHost } from '../../src/agent/host/host.ts';
import { createAgentServer } from '../../src/agent/http/server.ts';
import { stopOptimizing } from '../../src/agent/http/stop-optimizing.ts';
import { UnitStates } from '../../src/agent/units/unit-states.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { secretMatcher } from '../../src/kernel/http/bearer.ts';
import { createLog } from '../../src/kernel/log.ts';

const [port = '', token = '', ...names] = process.argv.slice(2);
const all = openCollectors()(collectionConfig.parse({}));
const collectors = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
let monotonicMs = 0;
const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => {
    monotonicMs += COLLECT_INTERVAL_MS;
    return monotonicMs;
  },
};
const log = createLog('agent-always-collecting', 'error');
const host = openHost({ roots: { procfs: '/proc', sysfs: '/sys', rootfs: '' }, threads: 4 });
const collection = new Collection({ host, collectors, clock, log });
const snapshots = new SnapshotSource(() => collection.run(), clock);
const sources = { snapshots, units: new UnitStates(host, clock) };
const { server } = createAgentServer({ sources, isToken: secretMatcher(token), clock: systemClock, log });
stopOptimizing(server);
server.listen(Number(port), '127.0.0.1');
