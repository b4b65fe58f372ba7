import { hasUnseenCharacter } from './unseen-characters.ts';

export const AGENT_NAME_MAX_CHARACTERS = 60;

/**
 * Returns a person's name for an agent as it is stored; undefined for a name that can't be seen, or looks like another
 * one.
 */
export function parseAgentName(written: string): string | undefined {
  const name = written.trim();
  const length = [...name].length;
  if (length === 0 || length > AGENT_NAME_MAX_CHARACTERS || hasUnseenCharacter(name)) return undefined;
  return name;
}
