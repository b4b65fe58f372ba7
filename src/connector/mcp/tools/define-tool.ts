import type { z } from 'zod';
import type { Caller } from '../../domain/account.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Services } from '../../services/index.ts';

export interface ToolContext {
  caller: Caller;
  services: Services;
  settings: ToolSettings;
}

/** What results need to know about this installation. */
export interface ToolSettings {
  settingsUrl: string;
}

/** All four, because clients assume the worst of a missing hint. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** One tool: what a model reads about it, what it takes and gives, and the one call it makes. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** What it does, when to use it, what comes next. */
  description: string;
  scope: Scope;
  annotations: ToolAnnotations;
  input: I;
  output: O;
  handle(input: z.output<I>, context: ToolContext): Promise<z.input<O>>;
  /** What a call that asks for lines gets as its text; undefined for others, which get the same JSON. */
  linesOf?(input: z.output<I>, result: z.input<O>): string[] | undefined;
}

/** Checks that a tool's parts fit each other, then erases their types, so that all tools fit in one list. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool {
  return tool as unknown as Tool;
}
