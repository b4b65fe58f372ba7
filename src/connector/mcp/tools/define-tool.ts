import type { z } from 'zod';
import type { Caller } from '../../domain/account.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Services } from '../../services/index.ts';

export interface ToolContext {
  caller: Caller;
  services: Services;
  settings: ToolSettings;
}

/** Facts about this installation that results contain. */
export interface ToolSettings {
  settingsUrl: string;
}

/** Hints for clients. All four are required, because clients assume the worst of a missing one. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** One tool: its texts for the model, its arguments and result, and the one call it makes. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** Text for the model: the tool's effect, when to use it, and the next step. */
  description: string;
  scope: Scope;
  annotations: ToolAnnotations;
  input: I;
  output: O;
  handle(input: z.output<I>, context: ToolContext): Promise<z.input<O>>;
  /** Text of the answer to a call that asks for lines; undefined for other calls, whose text is the same JSON. */
  linesOf?(input: z.output<I>, result: z.input<O>): string[] | undefined;
}

/** Checks that a tool's parts fit each other, then erases their types, so that all tools fit in one list. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool {
  return tool as unknown as Tool;
}
