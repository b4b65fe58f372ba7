import type { z } from 'zod';
import type { Scope } from '../../domain/scope.ts';
import type { ToolContext } from '../tools/define-tool.ts';

/** What a method is given: the same as a tool. */
export type MethodContext = ToolContext;

/** One method of ours beside those of the protocol: the scope it needs, what it takes and gives, and the call it makes. */
export interface Method<P extends z.ZodObject = z.ZodObject, R extends z.ZodObject = z.ZodObject> {
  /** As in the message. */
  name: string;
  scope: Scope;
  params: P;
  result: R;
  handle(params: z.output<P>, context: MethodContext): Promise<z.input<R>>;
}

/** Checks that a method's parts fit each other, then erases their types, so that all methods fit in one list. */
export function defineMethod<P extends z.ZodObject, R extends z.ZodObject>(method: Method<P, R>): Method {
  return method as unknown as Method;
}
