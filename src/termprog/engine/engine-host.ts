/**
 * The parts of the terminal outside the engine that control functions use. Each group is implemented beside the window;
 * a function names only the groups it needs.
 */

export interface CellMetrics {
  /** Pixels of one cell, and of the text area: cells only, without padding. */
  cell: { width: number; height: number };
  area: { width: number; height: number };
}

export type LabelKind = 'title' | 'iconName';

/** Operations of applications that resources permit or refuse. @spec termprog#terminal-widget-resources-termvt100 */
export type Operation = 'SetTitle';

export interface EngineHost {
  /** Input for the application: text as UTF-8, or bytes as they are. */
  reply(answer: string | Uint8Array): void;
  bell(): void;
  /** The answer to ENQ. */
  answerback(): string;
  /** Whether the configuration lets applications do this now. */
  permits(operation: Operation): boolean;
  setLabel(kind: LabelKind, text: string): void;
  metrics(): CellMetrics;
  /** A control function failed by a bug of this program; it may have done a part of its work. */
  failed(name: string, error: unknown): void;
}
