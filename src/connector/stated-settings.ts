import type { ConnectorConfig } from '../../schemas/connector.ts';
import { pathText } from '../kernel/config/schema-paths.ts';
import { secretHash } from './domain/ids.ts';
import type { DecidingSettings } from './store/hold/deciding-settings.ts';

/** Sections and options that may differ between the processes on one database: places and ways of each machine. */
const OWN_OPTIONS: ReadonlySet<string> = new Set([
  '$schema',
  'previousBaseUrl',
  'listen',
  'stateDirectory',
  'logLevel',
  'bouncer.soju.adminSocket',
  'bouncer.soju.address',
  'database',
  'trustedProxies',
  'metricsListen',
  'outboundProxy',
]);

/** Files may lie elsewhere on another machine. */
const NAMES_A_FILE = /File$/;

const HASH_CHARACTERS = 10;

/** Returns the settings that decide who may come in. @param ircChannels in their stored spelling */
export function decidingSettings(
  { settings }: Pick<ConnectorConfig, 'settings'>,
  ircChannels: readonly string[],
): DecidingSettings {
  const { ownerLogins, ownerSubjects, maxUsers, personalTokens } = settings;
  return { ircChannels, ownerLogins, ownerSubjects, maxUsers, personalTokens };
}

/** Returns the path of each option that all processes must have in common, with a hash of its value. */
export const statedSettings = (config: ConnectorConfig): Record<string, string> =>
  Object.fromEntries(valuesIn(config, []).map(([path, value]) => [path, hashOf(value)]));

function valuesIn(value: unknown, path: readonly string[]): [string, unknown][] {
  const name = pathText(path);
  if (OWN_OPTIONS.has(name) || NAMES_A_FILE.test(name)) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, each]) => valuesIn(each, [...path, key]));
}

/** Hashes a value; lists of texts are sets. */
function hashOf(value: unknown): string {
  const isSet = Array.isArray(value) && value.every((each) => typeof each === 'string');
  const text = JSON.stringify(isSet ? [...value].sort() : value);
  return secretHash(text ?? '').slice(0, HASH_CHARACTERS);
}
