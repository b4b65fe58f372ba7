import { TEXT_FORMAT_CONTENT_TYPE } from '../exposition/text-format.ts';
import type { Coding } from '../report/snapshot.ts';
import type { SnapshotSource } from '../report/snapshot-source.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { parseUnitQuery } from './unit-names.ts';

export interface RouteRequest {
  /** Behind the question mark, without it. */
  query: string;
  coding: Coding;
  /** Wall clock, milliseconds. */
  nowMs: number;
}

/** One path; it answers GET and HEAD. */
export interface Route {
  needsToken: boolean;
  answer(request: RouteRequest): Answer | Promise<Answer>;
}

/** Why `services` is missing when it was asked for. */
const SERVICES_NOT_QUERIED = 'this version does not query the service manager';

const codingHeaders = (coding: Coding): Record<string, string> =>
  coding === 'gzip' ? { 'content-encoding': 'gzip', vary: 'accept-encoding' } : { vary: 'accept-encoding' };

async function answerReport(snapshots: SnapshotSource, { query, coding }: RouteRequest): Promise<Answer> {
  const units = parseUnitQuery(query);
  if (!units.ok) return jsonAnswer(400, units.refusal);
  const snapshot = await snapshots.current();
  if (units.count > 0) {
    const { report } = snapshot;
    return jsonAnswer(200, { ...report, errors: { ...report.errors, services: SERVICES_NOT_QUERIED } });
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...codingHeaders(coding) },
    body: snapshot.json(coding),
  };
}

async function answerMetrics(snapshots: SnapshotSource, { coding, nowMs }: RouteRequest): Promise<Answer> {
  const snapshot = await snapshots.current();
  return {
    status: 200,
    headers: { 'content-type': TEXT_FORMAT_CONTENT_TYPE, ...codingHeaders(coding) },
    body: snapshot.metrics(nowMs, coding),
  };
}

/** Path -> route. @spec agent#endpoints */
export function createRoutes(snapshots: SnapshotSource): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ['/v1/report', { needsToken: true, answer: (request) => answerReport(snapshots, request) }],
    ['/metrics', { needsToken: true, answer: (request) => answerMetrics(snapshots, request) }],
    ['/healthz', { needsToken: false, answer: () => jsonAnswer(200, { status: 'ok' }) }],
  ]);
}
