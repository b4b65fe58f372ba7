import { execa } from 'execa';
import { connectorCommand } from './start-connector.ts';

const DEADLINE_MS = 240_000;

/** Runs `backup` or `restore` until it ends. */
export async function runBackupCommand(
  configFile: string,
  command: 'backup' | 'restore',
  ...words: string[]
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const [program, ...args] = connectorCommand(configFile, command);
  const { exitCode, stdout, stderr } = await execa(program, [...args, ...words], {
    reject: false,
    timeout: DEADLINE_MS,
  });
  return { exitCode, stdout, stderr };
}
