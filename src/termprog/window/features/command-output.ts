import { lastCommandOutput } from '../../command-output/last-output.ts';
import { RunningCommands } from '../../command-output/running-commands.ts';
import { pathOfFileAddress } from '../../desktop/file-address.ts';
import { pipeToShell } from '../../desktop/pipe-to-shell.ts';
import type { CommandOutputPort } from '../../ports/shown-text.ts';
import type { FeatureParts } from './feature-parts.ts';

export type CommandOutputParts = Pick<
  FeatureParts,
  'engine' | 'options' | 'bell' | 'diagnostics' | 'hostName' | 'childEnvironment'
>;

/** Pipes the last command's output to the user's configured command. ours: decision 126 */
export function createCommandOutput(parts: CommandOutputParts): CommandOutputPort {
  const { engine, options, bell, diagnostics, hostName, childEnvironment } = parts;
  const running = new RunningCommands();
  const reported = (): string | undefined =>
    engine.directory === undefined ? undefined : pathOfFileAddress(engine.directory, hostName);
  return {
    pipe: () => {
      const command = options.get('pipeCommandOutput');
      const input = command.trim() === '' ? '' : lastCommandOutput(engine);
      if (input === '') return;
      if (running.isFull) {
        bell.ring();
        return;
      }
      const end = running.begin();
      const environment = childEnvironment();
      pipeToShell({ command, input, directory: reported(), environment }, (failure) => {
        end();
        if (failure !== undefined) diagnostics.warning(`the command of pipeCommandOutput can't be run: ${failure}`);
      });
    },
  };
}
