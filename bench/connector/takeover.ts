/**
 * main.ts connector-takeover [--json] [ACCOUNTS:ROUNDS …]
 * Kills the connector that serves, and measures when the one that waits serves, and when it has attached all accounts to the
 * bouncer again. The default is 20 rounds with 8 accounts and 3 with 100.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../scripts/stack/postgres.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { type Beside, healthOf, startBeside } from '../../tests/harness/beside.ts';
import { createAccounts } from '../../tests/harness/create-accounts.ts';
import { startConnectorStack } from '../../tests/harness/start-connector.ts';
import { tempFolder } from '../../tests/harness/temp-folder.ts';
import { ownServerDatabase } from '../../tests/harness/test-database.ts';
import { quantile } from '../quantile.ts';

const USUAL = ['8:20', '100:3'];
const SECOND_MS = 1_000;
const MIDDLE = 0.5;
const ROUND_DEADLINE_MS = 180_000;

/** Seconds from the kill. */
interface Takeover {
  servesAfter: number;
  attachedAfter: number;
}

interface Figures {
  accounts: number;
  rounds: number;
  serves: Spread;
  attached: Spread;
}

interface Spread {
  median: number;
  worst: number;
}

async function sessionsOf({ metricsPort }: Beside): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined);
  const found = /^homeport_connector_sessions_online (\d+)$/m.exec((await answer?.text()) ?? '');
  return Number(found?.[1] ?? 0);
}

async function measure(accounts: number, rounds: number): Promise<Figures> {
  await using folder = await tempFolder();
  const server = await startPostgres({ folder: folder.path });
  const database = ownServerDatabase(server);
  await using stack = await startConnectorStack({
    database,
    config: { settings: { ownerLogins: ['person0'], maxUsers: accounts + 1 } },
  });
  await stack.connector.stop();
  const made = Array.from({ length: accounts }, (_, n) => ({
    login: `person${n}`,
    channels: ['#room'],
    isOnline: true,
  }));
  await createAccounts(join(stack.folder, 'state'), database.config, made);
  let serving = await startBeside(stack);
  await waitFor('all are attached', async () => (await sessionsOf(serving)) === accounts, {
    timeoutMs: ROUND_DEADLINE_MS,
  });
  const takeovers: Takeover[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const waiting = await startBeside(stack);
    await waitFor('it waits', async () => (await healthOf(waiting))?.status === 503);
    const killedAt = performance.now();
    const since = (): number => (performance.now() - killedAt) / SECOND_MS;
    serving.process.kill('SIGKILL');
    await waitFor('it serves', async () => (await healthOf(waiting))?.status === 200, { timeoutMs: ROUND_DEADLINE_MS });
    const servesAfter = since();
    await waitFor('all are attached', async () => (await sessionsOf(waiting)) === accounts, {
      timeoutMs: ROUND_DEADLINE_MS,
    });
    takeovers.push({ servesAfter, attachedAfter: since() });
    serving = waiting;
  }
  await serving.process.stop();
  await server.stop();
  return {
    ...{ accounts, rounds },
    serves: spreadOf(takeovers.map(({ servesAfter }) => servesAfter)),
    attached: spreadOf(takeovers.map(({ attachedAfter }) => attachedAfter)),
  };
}

const spreadOf = (seconds: readonly number[]): Spread => ({
  median: quantile(seconds, MIDDLE),
  worst: Math.max(...seconds),
});

const { values: options, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = positionals.filter((word) => word.includes(':'));
const figures: Figures[] = [];
for (const each of wanted.length === 0 ? USUAL : wanted) {
  const [accounts = 1, rounds = 1] = each.split(':').map(Number);
  figures.push(await measure(accounts, rounds));
}
if (options.json) console.log(JSON.stringify({ program: 'connector-takeover', figures }, null, 2));
else {
  console.log('accounts  rounds  serves after (median, worst)  all attached after (median, worst)');
  for (const { accounts, rounds, serves, attached } of figures) {
    const cells = [serves, attached].map(({ median, worst }) =>
      `${median.toFixed(1)} s  ${worst.toFixed(1)} s`.padStart(30),
    );
    console.log(`${String(accounts).padStart(8)}${String(rounds).padStart(8)}${cells.join('')}`);
  }
}
