import type { z } from 'zod';
import type { Caller } from '../domain/account.ts';
import type { Scope } from '../domain/scope.ts';
import type { ErrorCode } from '../errors.ts';
import type { Services } from '../services/index.ts';

export interface RouteContext {
  caller: Caller;
  services: Services;
}

/** A part of a request: its schema, and the refusal for a request that does not match. */
export interface RequestPart<S extends z.ZodType = z.ZodType> {
  schema: S;
  refusal: { code: ErrorCode; message: string };
}

/** A schema and its name in the API's description. */
export interface NamedSchema<S extends z.ZodType = z.ZodType> {
  name: string;
  schema: S;
}

/** One operation of the REST interface: this object both serves and describes it. */
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
  /** Error codes of this route; those about the token come in addition. @spec connector#errors */
  refusals: readonly ErrorCode[];
  handle(
    request: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    context: RouteContext,
  ): Promise<z.input<R>>;
}

/** Checks that a route's parts fit each other, then erases their types, so that all routes fit in one list. */
export function defineRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodType>(
  route: Route<P, Q, B, R>,
): Route {
  return route as unknown as Route;
}
