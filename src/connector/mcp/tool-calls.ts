import type { Measurements, ToolOutcome } from '../ports/measurements.ts';
import { tools } from './tools/index.ts';

/** Label for a call of an unknown tool: peers must not be able to add labels. */
const UNKNOWN = 'unknown';

const NAMES: ReadonlySet<string> = new Set(tools.map(({ name }) => name));

/**
 * The tool calls of one request. Calls that reach their tool are measured there, the others when the request is
 * answered.
 */
export class ToolCalls {
  readonly #unreached: string[];
  readonly #ended: { name: string; outcome: ToolOutcome }[] = [];

  /** @param body of the request, of any shape */
  constructor(body: unknown) {
    this.#unreached = [body].flat().flatMap((message) => calledTool(message));
  }

  reached(tool: string): void {
    const index = this.#unreached.indexOf(tool);
    if (index !== -1) this.#unreached.splice(index, 1);
  }

  /** @param name of a tool, or of a method of ours */
  ended(name: string, outcome: ToolOutcome): void {
    this.#ended.push({ name, outcome });
  }

  /** Returns how a call of this name ended, each call once; undefined if it did not reach its tool or method. */
  outcomeOf(name: string): ToolOutcome | undefined {
    const index = this.#ended.findIndex((call) => call.name === name);
    return index === -1 ? undefined : this.#ended.splice(index, 1)[0]?.outcome;
  }

  /** Counts the calls that did not reach their tool as refused. It is called when the request is answered. */
  answered(measurements: Measurements, seconds: number): void {
    for (const tool of this.#unreached) measurements.toolCalled(tool, 'refused', seconds);
  }
}

/** The name of the tool that a message calls; empty for other messages. */
export function calledTool(message: unknown): string[] {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  if (method !== 'tools/call') return [];
  const name = params?.name;
  return [typeof name === 'string' && NAMES.has(name) ? name : UNKNOWN];
}
