import type { z } from 'zod';
import type { Caller } from '../domain/account.ts';
import type { Scope } from '../domain/scope.ts';
import type { ErrorCode } from '../errors.ts';
import type { Services } from '../services/index.ts';

export interface RouteContext {
  caller: Caller;
  services: Services;
}

/** A part of a request: how it is read, and what a request is answered that can't be read so. */
export interface RequestPart<S extends z.ZodType = z.ZodType> {
  schema: S;
  refusal: { code: ErrorCode; message: string };
}

/** A schema under the name it has in the interface's description. */
export interface NamedSchema<S extends z.ZodType = z.ZodType> {
  name: string;
  schema: S;
}

/** One operation of the REST interface; what serves it and what describes it is this one object. */
export interface Route<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  operationId: string;
  summary: string;
  method: 'get' | 'post';
  /** Path with `{name}` for each path parameter. */
  path: string;
  scope: Scope;
  params?: RequestPart<P>;
  query?: RequestPart<Q>;
  body?: RequestPart<B> & { name: string };
  status: 200 | 202;
  response: NamedSchema<R>;
  /** Everything else it may answer, beside what is wrong with the token. @spec connector#errors */
  refusals: readonly ErrorCode[];
  handle(
    request: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    context: RouteContext,
  ): Promise<z.input<R>>;
}

/** Checks a route's parts against each other and forgets their types, so that routes of all kinds stand in one list. */
export function defineRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodType>(
  route: Route<P, Q, B, R>,
): Route {
  return route as unknown as Route;
}
