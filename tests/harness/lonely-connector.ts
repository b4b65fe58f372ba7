import { join } from 'node:path';
import { execa } from 'execa';
import { connectorCommand, secretFile, writeConfig } from './start-connector.ts';

const END_DEADLINE_MS = 120_000;

/** A configuration without a running bouncer and identity provider. */
export async function lonelyConfig(
  folder: string,
  { listen = {}, ...changes }: { listen?: Record<string, unknown>; [option: string]: unknown } = {},
): Promise<string> {
  return writeConfig(folder, {
    baseUrl: 'http://127.0.0.1:1',
    stateDirectory: join(folder, 'state'),
    ircChannels: ['#room'],
    settings: { ownerLogins: ['ada'] },
    identityProvider: {
      oidc: {
        issuer: 'http://127.0.0.1:9',
        clientId: 'x',
        clientSecretFile: await secretFile(folder, 'idp', 'secret'),
      },
    },
    bouncer: { soju: { adminSocket: join(folder, 'none'), network: { address: 'irc+insecure://127.0.0.1:9' } } },
    listen: { drainSeconds: 0, ...listen },
    ...changes,
  });
}

/** Runs the program until it ends. @param through a program that runs it, with its own arguments */
export function runConnector(configFile: string, command = 'run', through: readonly string[] = []) {
  const [program, ...args] = [...through, ...connectorCommand(configFile, command)] as [string, ...string[]];
  return execa(program, args, { reject: false, timeout: END_DEADLINE_MS });
}
