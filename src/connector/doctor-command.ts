import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { messageOf, onOneLine } from '../kernel/errors.ts';
import { printedJson } from '../kernel/printed-json.ts';
import type { Environment, ReadSecret } from './database-choice.ts';
import { type Check, type Examined, type Finding, problem } from './doctor/check.ts';
import { checks } from './doctor/index.ts';
import { installationClaim } from './installation-claim.ts';
import { readSecrets } from './secrets.ts';
import { showWait } from './shown-wait.ts';
import { actAsStateOwner } from './state-owner.ts';
import { inspectDatabase, inspectSharing } from './store/database.ts';
import { readStateKeys } from './store/state-keys.ts';

/** Deadline of a check; longer than the deadlines inside it. */
const CHECK_DEADLINE_MS = 20_000;

const NAME_WIDTH = Math.max(...checks.map(({ name }) => name.length));

/**
 * Checks everything the connector needs and prints a line for each, or all as JSON; returns 1 when a check fails.
 * @throws StartError for a secret that can't be read
 */
export async function runDoctor(
  config: ConnectorConfig,
  readSecret: ReadSecret,
  { environment, isJson }: { environment: Environment; isJson: boolean },
): Promise<number> {
  const { database, identityProvider, keys, proxy } = readSecrets(config, readSecret, environment);
  const own = () => installationClaim(config, keys ?? readStateKeys(config.stateDirectory));
  // If root can't act as the owner, it looks as root, and the checks only read.
  const mayWrite = actAsStateOwner(config, database);
  const examined: Examined = {
    ...{ config, database, identityProvider, proxy, own, mayWrite },
    inspection: once(() => inspectDatabase(database)),
    sharing: once(() => inspectSharing(database)),
    now: () => systemClock.now(),
  };
  const pending = new Set(checks.map(({ name }) => name));
  const looking = Promise.all(
    checks.map(async (check) => {
      const finding = await findingOf(check, examined);
      pending.delete(check.name);
      return { name: check.name, finding };
    }),
  );
  const findings = await showWait(() => `looking at ${[...pending].join(', ')}`, looking);
  const isOk = findings.every(({ finding }) => finding.isOk);
  const lines = isJson
    ? [printedJson({ ok: isOk, checks: findings.map(jsonOf) })]
    : findings.map(({ name, finding }) => lineOf(name, finding));
  process.stdout.write(`${lines.join('\n')}\n`);
  return isOk ? 0 : 1;
}

/** Makes a function that does the work when it is first called, and gives its result to each caller. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

function jsonOf({ name, finding }: { name: string; finding: Finding }): object {
  const { isOk: ok, says } = finding;
  return finding.isOk ? { name, ok, says } : { name, ok, says, remedy: finding.remedy };
}

async function findingOf(check: Check, examined: Examined): Promise<Finding> {
  try {
    return await Promise.race([check.examine(examined), overdue()]);
  } catch (error) {
    return problem(messageOf(error), 'mend the parts above first, then look again');
  }
}

async function overdue(): Promise<Finding> {
  await delay(CHECK_DEADLINE_MS, undefined, { ref: false });
  return problem(`no result within ${CHECK_DEADLINE_MS / 1_000} s`, 'mend what is slow there, then look again');
}

function lineOf(name: string, finding: Finding): string {
  const words = `${name.padEnd(NAME_WIDTH)}  ${finding.says}`;
  // Texts of others may be in it, such as the name of a process in the database.
  return onOneLine(finding.isOk ? `ok      ${words}` : `WRONG   ${words} -> ${finding.remedy}`);
}
