import { messageOf } from '../../../kernel/errors.ts';
import type {
  ColorHost,
  EngineHost,
  HighlightRequest,
  LabelKind,
  Notification,
  SelectionHost,
  WindowMetrics,
} from '../../engine/engine-host.ts';
import type { LiveOptions } from '../../options/live-options.ts';
import { permits } from '../../permissions/permits.ts';

export interface HostParts {
  options: LiveOptions;
  colors: ColorHost;
  selections: SelectionHost;
  send(input: string | Uint8Array): void;
  ring(): void;
  setLabel(kind: LabelKind, text: string): void;
  label(kind: LabelKind): string;
  metrics(): WindowMetrics;
  changeCompleted(): void;
  highlight(request: HighlightRequest | undefined): void;
  shellMarked: EngineHost['shellMarked'];
  notify(notification: Notification): void;
  logFailure(message: string): void;
}

/** Creates the engine's interface to the terminal around it, for its control functions. */
export function createEngineHost(parts: HostParts): EngineHost {
  const { options, colors, selections } = parts;
  return {
    colors,
    selections,
    reply: (answer) => parts.send(answer),
    bell: () => parts.ring(),
    bellIsUrgent: () => options.get('bellIsUrgent'),
    alternateScroll: () => options.get('alternateScroll'),
    shellMarked: (mark) => parts.shellMarked(mark),
    answerback: () => options.reader.bytes('answerbackString'),
    permits: (operation) => permits(options, operation),
    setLabel: (kind, text) => parts.setLabel(kind, text),
    label: (kind) => parts.label(kind),
    metrics: () => parts.metrics(),
    changeCompleted: () => parts.changeCompleted(),
    highlight: (request) => parts.highlight(request),
    notify: (notification) => parts.notify(notification),
    failed: (name, error) => parts.logFailure(`${name} failed: ${messageOf(error)}`),
  };
}
