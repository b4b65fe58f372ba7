import type { Request } from 'express';
import { z } from 'zod';
import { HISTORY_LIMIT_DEFAULT, HISTORY_LIMIT_MAX } from '../domain/limits.ts';
import { ConnectorError } from '../errors.ts';
import type { GuardedRoute } from '../http/guarded-route.ts';
import type { CallRecord } from '../ports/call-records.ts';
import type { AccountConnection } from '../services/diagnostics.ts';
import type { Services } from '../services/index.ts';
import { isoTime, isoTimeOrNull, wireEntry } from '../wire/entry-output.ts';
import type { CallLog } from './call-log.ts';

const Limit = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(HISTORY_LIMIT_MAX));

/** A time that may have an offset, whose plus sign is a space in an address that was not escaped. */
const Since = z
  .string()
  .transform((text) => text.replace(' ', '+'))
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => Date.parse(text));

export interface EventsRouteParts {
  services: Services;
  calls: CallLog;
  /** The account that is signed in in the requesting browser; undefined without one. */
  signedIn: (req: Request) => Promise<string | undefined>;
}

/**
 * Shows owners the activity on IRC, the connections of accounts and the calls of clients: with the admin token, or in
 * the browser in which an owner is signed in.
 * @spec connector#discovery-and-service-endpoints
 */
export const eventsRoute = ({ services, calls, signedIn }: EventsRouteParts): GuardedRoute => ({
  method: 'get',
  path: '/admin/events',
  guard: {
    adminOr: async (req) => {
      const accountId = await signedIn(req);
      if (accountId === undefined) return false;
      await services.requireOwner(accountId);
      return true;
    },
  },
  speaks: 'json',
  handlers: [
    async ({ query }, res) => {
      const [limit, since] = [limitOf(query['limit']), sinceOf(query['since'])];
      const { events, connections } = await services.diagnostics({ limit, since });
      res.set('Cache-Control', 'no-store').json({
        events: events.map(({ accountId: account, ...entry }) => ({ account, ...wireEntry(entry) })),
        connections: connections.map(wireConnection),
        mcp: (await calls.newestFirst(limit, since)).map(wireCall),
      });
    },
  ],
});

/** @throws ConnectorError limit_invalid */
function limitOf(written: unknown): number {
  if (written === undefined) return HISTORY_LIMIT_DEFAULT;
  const limit = Limit.safeParse(written);
  if (limit.success) return limit.data;
  throw new ConnectorError('limit_invalid', `limit is an integer from 1 to ${HISTORY_LIMIT_MAX}`);
}

/** @throws ConnectorError since_invalid */
function sinceOf(written: unknown): number | undefined {
  if (written === undefined) return undefined;
  const since = Since.safeParse(written);
  if (since.success && !Number.isNaN(since.data)) return since.data;
  throw new ConnectorError('since_invalid', 'since is a time of ISO 8601, such as 2026-01-31T08:00:00Z');
}

const wireConnection = ({ accountId, login, isOnline, upstreamConnected, since }: AccountConnection) => ({
  account: accountId,
  login,
  online: isOnline,
  upstreamConnected,
  since: isoTimeOrNull(since),
});

const wireCall = ({ at, accountId, clientId, method, tool, outcome, ms }: CallRecord) => ({
  time: isoTime(at),
  account: accountId,
  client: clientId,
  method,
  tool,
  outcome,
  ms,
});
