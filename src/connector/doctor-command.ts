import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { messageOf, onOneLine } from '../kernel/errors.ts';
import type { Environment, ReadSecret } from './database-choice.ts';
import { type Check, type Examined, type Finding, ill } from './doctor/check.ts';
import { checks } from './doctor/index.ts';
import { installationClaim } from './installation-claim.ts';
import { readSecrets } from './secrets.ts';
import { actAsStateOwner } from './state-owner.ts';
import { readStateKeys } from './store/state-keys.ts';

/** Longer than the deadlines inside a check. */
const CHECK_DEADLINE_MS = 20_000;

const NAME_WIDTH = Math.max(...checks.map(({ name }) => name.length));

/** Checks everything the connector needs and prints a line for each; returns 1 when a check fails. @throws StartError for a secret that can't be read */
export async function runDoctor(
  config: ConnectorConfig,
  readSecret: ReadSecret,
  environment: Environment,
): Promise<number> {
  const { database, identityProvider, keys, proxy } = readSecrets(config, readSecret, environment);
  const own = () => installationClaim(config, keys ?? readStateKeys(config.stateDirectory));
  // Where it can't, root looks by itself, and then checks only read.
  const mayWrite = actAsStateOwner(config, database);
  const examined: Examined = {
    ...{ config, database, identityProvider, proxy, own, mayWrite },
    now: () => systemClock.now(),
  };
  const findings = await Promise.all(
    checks.map(async (check) => ({ name: check.name, finding: await findingOf(check, examined) })),
  );
  for (const { name, finding } of findings) process.stdout.write(`${lineOf(name, finding)}\n`);
  return findings.every(({ finding }) => finding.isWell) ? 0 : 1;
}

async function findingOf(check: Check, examined: Examined): Promise<Finding> {
  try {
    return await Promise.race([check.examine(examined), overdue()]);
  } catch (error) {
    return ill(messageOf(error), 'mend the parts above first, then look again');
  }
}

async function overdue(): Promise<Finding> {
  await delay(CHECK_DEADLINE_MS, undefined, { ref: false });
  return ill(`no result within ${CHECK_DEADLINE_MS / 1_000} s`, 'mend what is slow there, then look again');
}

function lineOf(name: string, finding: Finding): string {
  const words = `${name.padEnd(NAME_WIDTH)}  ${finding.says}`;
  // What others wrote may be in it, such as the name of a process in the database.
  return onOneLine(finding.isWell ? `ok      ${words}` : `WRONG   ${words} -> ${finding.remedy}`);
}
