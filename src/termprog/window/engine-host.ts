import { messageOf } from '../../kernel/errors.ts';
import type { CellMetrics, EngineHost, LabelKind, Operation } from '../engine/engine-host.ts';
import type { OptionPort } from '../ports/options.ts';

export interface HostParts {
  options: OptionPort;
  send(input: string | Uint8Array): void;
  ring(): void;
  setLabel(kind: LabelKind, text: string): void;
  metrics(): CellMetrics;
  tellFailure(message: string): void;
}

/** Whether an operation is permitted, by the resources in force. @spec termprog#terminal-widget-resources-termvt100 */
const permissions: Readonly<Record<Operation, (options: OptionPort) => boolean>> = {
  SetTitle: (options) => options.get('allowTitleOps') && !options.get('allowSendEvents'),
};

/** What control functions ask of the terminal around the engine. */
export function createEngineHost({ options, send, ring, setLabel, metrics, tellFailure }: HostParts): EngineHost {
  return {
    reply: (answer) => send(answer),
    bell: () => ring(),
    answerback: () => options.get('answerbackString'),
    permits: (operation) => permissions[operation](options),
    setLabel: (kind, text) => setLabel(kind, text),
    metrics: () => metrics(),
    failed: (name, error) => tellFailure(`${name} failed: ${messageOf(error)}`),
  };
}
