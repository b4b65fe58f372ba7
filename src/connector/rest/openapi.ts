import { z } from 'zod';
import { VERSION } from '../../kernel/version.ts';
import { SCOPE_MEANING } from '../domain/scope.ts';
import { type ErrorCode, errorTable } from '../errors.ts';
import { EntryOutput } from '../wire/entry-output.ts';
import { portable } from '../wire/portable-schema.ts';
import type { Route } from './define-route.ts';

type Json = Record<string, unknown>;

/** Error codes of every operation, from the checks of token and database that come first. */
const COMMON_REFUSALS: readonly ErrorCode[] = ['token_invalid', 'scope_missing', 'database_unavailable', 'not_serving'];

const ErrorBody = z.object({
  error: z.object({
    code: z.string().describe('Stable; see the page of errors.'),
    message: z.string().describe('For people; says what to do.'),
  }),
});

/** Describes the routes in OpenAPI 3.1, from the routes themselves. @spec connector#versioning */
export function describeInterface(baseUrl: string, routes: readonly Route[]): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Homeport IRC',
      version: VERSION,
      description: "Reads and writes the IRC channels of the person who gave access, under that person's nick.",
    },
    servers: [{ url: baseUrl }],
    paths: pathsOf(routes),
    components: {
      schemas: schemasOf(routes),
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/oauth/authorize`,
              tokenUrl: `${baseUrl}/oauth/token`,
              refreshUrl: `${baseUrl}/oauth/token`,
              scopes: SCOPE_MEANING,
            },
          },
        },
      },
    },
  };
}

function pathsOf(routes: readonly Route[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  return paths;
}

function operationOf(route: Route): Json {
  const { operationId, summary, scope, status, response, params, query, body } = route;
  const parameters = [...parametersOf('path', params?.schema), ...parametersOf('query', query?.schema)];
  return {
    operationId,
    summary,
    security: [{ oauth: [scope] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body.name) } }),
    responses: {
      [status]: { description: status === 202 ? 'Accepted.' : 'As asked for.', content: contentOf(response.name) },
      ...refusalsOf(route),
    },
  };
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {} } = portable(z.toJSONSchema(schema, { io: 'output' })) as {
    properties?: Record<string, Json>;
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path',
    description,
    schema: rest,
  }));
}

/** One answer for each status; it names all codes with that status. */
function refusalsOf({ params, query, body, refusals }: Route): Record<string, Json> {
  const parts = [params, query, body].flatMap((part) => (part === undefined ? [] : [part.refusal.code]));
  const codes = [...new Set([...COMMON_REFUSALS, ...parts, ...refusals])];
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes.filter((code) => errorTable[code].status === status).join(', '),
        ...(status === errorTable.rate_limited.status
          ? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } }
          : {}),
        content: contentOf('Error'),
      },
    ]),
  );
}

const reference = (name: string): string => `#/components/schemas/${name}`;

const contentOf = (name: string): Json => ({ 'application/json': { schema: { $ref: reference(name) } } });

function schemasOf(routes: readonly Route[]): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  registry.add(EntryOutput, { id: 'Entry' });
  registry.add(ErrorBody, { id: 'Error' });
  for (const { response, body } of routes) {
    registry.add(response.schema, { id: response.name });
    if (body !== undefined) registry.add(body.schema, { id: body.name });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: reference });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _address, ...schema }]) => [name, portable(schema)]),
  );
}
