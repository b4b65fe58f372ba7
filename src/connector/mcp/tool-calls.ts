import type { Measurements } from '../ports/measurements.ts';
import { tools } from './tools/index.ts';

/** Label for a call of an unknown tool: peers must not be able to add labels. */
const UNKNOWN = 'unknown';

const NAMES: ReadonlySet<string> = new Set(tools.map(({ name }) => name));

/** The tool calls of one request. Calls that reach their tool are measured there, the others when the request is answered. */
export class ToolCalls {
  readonly #unreached: string[];

  /** @param body of the request, of any shape */
  constructor(body: unknown) {
    this.#unreached = [body].flat().flatMap((message) => calledTool(message));
  }

  reached(tool: string): void {
    const index = this.#unreached.indexOf(tool);
    if (index !== -1) this.#unreached.splice(index, 1);
  }

  /** Call it when the request is answered: calls that did not reach their tool count as refused. */
  answered(measurements: Measurements, seconds: number): void {
    for (const tool of this.#unreached) measurements.toolCalled(tool, 'refused', seconds);
  }
}

function calledTool(message: unknown): string[] {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  if (method !== 'tools/call') return [];
  const name = params?.name;
  return [typeof name === 'string' && NAMES.has(name) ? name : UNKNOWN];
}
