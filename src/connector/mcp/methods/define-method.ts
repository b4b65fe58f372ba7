import type { z } from 'zod';
import type { AppError } from '../../../kernel/errors.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ToolContext } from '../tools/define-tool.ts';

/** Context of a method's call: the same as a tool's. */
export type MethodContext = ToolContext;

/** An error in the form of JSON-RPC. */
export interface RpcRefusal {
  code: number;
  data?: Readonly<Record<string, unknown>>;
}

/**
 * One method of ours beside those of the protocol: the scope it needs, its parameters and result, and the call it
 * makes.
 */
export interface Method<P extends z.ZodObject = z.ZodObject, R extends z.ZodObject = z.ZodObject> {
  /** Name of the method in the message. */
  name: string;
  scope: Scope;
  params: P;
  result: R;
  handle(params: z.output<P>, context: MethodContext): Promise<z.input<R>>;
  /** The method's own code for a refusal; undefined if it has no such code. */
  refusalOf?(error: AppError): RpcRefusal | undefined;
}

/** Checks that a method's parts fit each other, then erases their types, so that all methods fit in one list. */
export function defineMethod<P extends z.ZodObject, R extends z.ZodObject>(method: Method<P, R>): Method {
  return method as unknown as Method;
}
