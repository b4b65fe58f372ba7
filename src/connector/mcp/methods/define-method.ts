import type { z } from 'zod';
import type { AppError } from '../../../kernel/errors.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ToolContext } from '../tools/define-tool.ts';

/** What a method is given: the same as a tool. */
export type MethodContext = ToolContext;

/** An error as JSON-RPC tells it. */
export interface RpcRefusal {
  code: number;
  data?: Readonly<Record<string, unknown>>;
}

/** One method of ours beside those of the protocol: the scope it needs, what it takes and gives, and the call it makes. */
export interface Method<P extends z.ZodObject = z.ZodObject, R extends z.ZodObject = z.ZodObject> {
  /** As in the message. */
  name: string;
  scope: Scope;
  params: P;
  result: R;
  handle(params: z.output<P>, context: MethodContext): Promise<z.input<R>>;
  /** Its own code for a refusal; undefined where it has none. */
  refusalOf?(error: AppError): RpcRefusal | undefined;
}

/** Checks that a method's parts fit each other, then erases their types, so that all methods fit in one list. */
export function defineMethod<P extends z.ZodObject, R extends z.ZodObject>(method: Method<P, R>): Method {
  return method as unknown as Method;
}
