import type { Coding } from '../collection/snapshot.ts';
import type { SnapshotSource } from '../collection/snapshot-source.ts';
import { TEXT_FORMAT_CONTENT_TYPE } from '../exposition/text-format.ts';
import type { UnitStates } from '../units/unit-states.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { parseUnitQuery } from './unit-names.ts';

export interface RouteRequest {
  /** Text behind the question mark. */
  query: string;
  coding: Coding;
  /** Wall clock, milliseconds. */
  nowMs: number;
}

/** Sources of the content of answers. */
export interface ReportSources {
  snapshots: SnapshotSource;
  units: UnitStates;
}

/** One path; it answers GET and HEAD. */
export interface Route {
  needsToken: boolean;
  answer(request: RouteRequest): Answer | Promise<Answer>;
}

const codingHeaders = (coding: Coding): Record<string, string> =>
  coding === 'gzip' ? { 'content-encoding': 'gzip', vary: 'accept-encoding' } : { vary: 'accept-encoding' };

async function answerReport({ snapshots, units }: ReportSources, { query, coding }: RouteRequest): Promise<Answer> {
  const asked = parseUnitQuery(query);
  if (!asked.ok) return jsonAnswer(400, asked.refusal);
  const [snapshot, rows] = await Promise.all([
    snapshots.current(),
    asked.questions.length === 0 ? undefined : units.rows(asked.questions),
  ]);
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...codingHeaders(coding) },
    body: rows === undefined ? snapshot.json(coding) : snapshot.jsonWith(rows, coding),
  };
}

async function answerMetrics({ snapshots }: ReportSources, { coding, nowMs }: RouteRequest): Promise<Answer> {
  const snapshot = await snapshots.current();
  return {
    status: 200,
    headers: { 'content-type': TEXT_FORMAT_CONTENT_TYPE, ...codingHeaders(coding) },
    body: snapshot.metrics(nowMs, coding),
  };
}

/** Path -> route. @spec agent#endpoints */
export function createRoutes(sources: ReportSources): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ['/v1/report', { needsToken: true, answer: (request) => answerReport(sources, request) }],
    ['/metrics', { needsToken: true, answer: (request) => answerMetrics(sources, request) }],
    ['/healthz', { needsToken: false, answer: () => jsonAnswer(200, { status: 'ok' }) }],
  ]);
}
