import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createOutbound } from '../../src/connector/outbound/outbound.ts';
import type { Claim } from '../../src/connector/ports/claims.ts';
import { newId } from '../../src/connector/random.ts';
import { createSeal } from '../../src/connector/store/aes-seal.ts';
import { databaseServer } from '../../src/connector/store/connect/index.ts';
import { beat } from '../../src/connector/store/hold/process-rows.ts';
import { createStore } from '../../src/connector/store/index.ts';
import { createInvalidations } from '../../src/connector/store/shared-invalidations.ts';
import { startDeliveries } from '../../src/connector/upkeep/delivering.ts';
import { createCallbacks } from '../../src/connector/webhooks/signed-callbacks.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { OpenStore } from './open-store.ts';

/**
 * A process that delivers beside others, without the slot: it sends heartbeats, and acts for as long as the program
 * trusts one.
 */
const BEAT_MS = 2_000;
const RETRY_MS = 500;
const TRUST_MS = 7_000;

/** What the process gets as its argument, in JSON. */
export interface WorkerArguments {
  choice: OpenStore['opened']['choice'];
  /** In base64. */
  sealKey: string;
}

const { choice, sealKey } = JSON.parse(process.argv[2] ?? '') as WorkerArguments;
const own = { processId: newId('prc'), name: 'worker', version: '0' };
const server = databaseServer(choice);
const session = server.connect('share');
let trustedUntil = 0;
const isTrusted = (): boolean => performance.now() < trustedUntil;
const doubted: (() => void)[] = [];
let doubt: NodeJS.Timeout | undefined;
const claim: Claim = {
  isTrusted,
  onLost: () => undefined,
  onDoubt: (tell) => void doubted.push(tell),
  release: async () => undefined,
};

function trust(sentAt: number): void {
  trustedUntil = sentAt + TRUST_MS;
  clearTimeout(doubt);
  doubt = setTimeout(
    () => {
      for (const tell of doubted) tell();
    },
    Math.max(0, trustedUntil - performance.now()),
  );
}

async function keepBeating(): Promise<never> {
  for (;;) {
    const sentAt = performance.now();
    const isAnswered = await beat(session, own, 0).then(
      () => true,
      () => false,
    );
    if (isAnswered) trust(sentAt);
    await delay(isAnswered ? BEAT_MS : RETRY_MS);
  }
}

void keepBeating();
while (!isTrusted()) await delay(10);
const database = server.connect('serve', claim);
const { processId } = own;
const store = createStore(
  { database, readers: database, processId },
  createSeal(Buffer.from(sealKey, 'base64')),
  systemClock,
);
const outbound = createOutbound({ allowHosts: ['127.0.0.1', '127.0.0.2', '127.0.0.3'], mayAct: isTrusted });
claim.onDoubt(() => outbound.abandonUnwritten());
startDeliveries({
  deliveries: store.deliveries,
  callbacks: createCallbacks({ outbound, clock: systemClock }),
  ...{ invalidations: createInvalidations(), clock: systemClock, log: pino({ level: 'silent' }) },
});
process.stdout.write(`${processId}\n`);
