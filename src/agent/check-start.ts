import type { AgentConfig } from '../../schemas/agent.ts';
import {
  checkStart,
  HELD_PORTS_VARIABLE,
  nodePart,
  portPart,
  type StartPart,
  systemCallsPart,
} from '../kernel/start-check.ts';
import { readToken, TOKEN_OPTION } from './token.ts';

/**
 * Checks whether the agent could start, and prints a line for each part; returns the exit status.
 * @param file of the program
 */
export function runCheckStart(
  { agent: { listen, tokenFile } }: AgentConfig,
  env: NodeJS.ProcessEnv,
  file: string,
  print: (line: string) => void,
): Promise<number> {
  const token: StartPart = {
    name: TOKEN_OPTION,
    look: () => {
      readToken(tokenFile, env.CREDENTIALS_DIRECTORY);
      return 'can be read';
    },
  };
  // systemd makes the socket that a path names.
  const ports = listen.unix === undefined ? [portPart('agent.listen', listen, env[HELD_PORTS_VARIABLE])] : [];
  return checkStart([nodePart, systemCallsPart(file), token, ...ports], print);
}
